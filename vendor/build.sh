#!/usr/bin/env bash
# Makes everything of others that is kept in this tree: the page's module, its fonts, and axe and a schema for the tests.
# Run by hand after a change of package.json or entry.js; needs node and npm. README.md here says more.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
static=$root/src/storypool/web/static
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp "$here/package.json" "$here/entry.js" "$here/ogl.js" "$work"
cd "$work"
npm install --no-package-lock --ignore-scripts --no-audit --no-fund

mkdir -p "$static/vendor" "$static/fonts" "$root/tests/vendor"

# The page's modules, with every licence of what is in them.
build() {
  node_modules/.bin/esbuild "$1" --bundle --minify --format=esm --target=es2022 --charset=utf8 \
    --legal-comments=none --outfile="$static/vendor/$2"
}
build entry.js preact.js
build ogl.js ogl.js
version() { node -p "require('./node_modules/$1/package.json').version"; }
{
  printf 'preact.js here is made of these packages, each under the licence that follows its name.\n'
  for package in preact @preact/signals @preact/signals-core htm; do
    printf '\n\n======== %s %s ========\n\n' "$package" "$(version "$package")"
    cat "node_modules/$package/LICENSE"
  done
  # The package has its licence at the end of its README.
  printf '\n\nogl.js here is made of this package.\n'
  printf '\n\n======== ogl %s ========\n\n' "$(version ogl)"
  sed -n '/^## Unlicense/,$p' node_modules/ogl/README.md
} > "$static/vendor/LICENSES.txt"

# Latin and its extensions: Fraunces, Source Sans 3 (whose figures are tabular as they are).
fraunces=node_modules/@fontsource-variable/fraunces
source=node_modules/@fontsource-variable/source-sans-3
for part in latin latin-ext; do
  cp "$fraunces/files/fraunces-$part-wght-normal.woff2" "$static/fonts/fraunces-$part.woff2"
  cp "$source/files/source-sans-3-$part-wght-normal.woff2" "$static/fonts/source-sans-3-$part.woff2"
done
cp "$fraunces/LICENSE" "$static/fonts/LICENSE-fraunces.txt"
cp "$source/LICENSE" "$static/fonts/LICENSE-source-sans-3.txt"

# For the accessibility tests; not part of the package.
cp node_modules/axe-core/axe.min.js "$root/tests/vendor/axe.min.js"
cp node_modules/axe-core/LICENSE "$root/tests/vendor/LICENSE-axe-core.txt"
cp node_modules/axe-core/LICENSE-3RD-PARTY.txt "$root/tests/vendor/LICENSE-axe-core-3rd-party.txt"

# For the test of the description of the live feed.
cp 'node_modules/@asyncapi/specs/schemas/3.0.0-without-$id.json' "$root/tests/vendor/asyncapi-3.0.0.json"
{
  cat node_modules/@asyncapi/specs/LICENSE
  printf '\n\n'
  cat node_modules/@asyncapi/specs/NOTICE
} > "$root/tests/vendor/LICENSE-asyncapi-specs.txt"

# What tests/test_vendor.py holds all of it to.
shopt -s nullglob
export LC_ALL=C
for folder in "$static/vendor" "$static/fonts" "$root/tests/vendor"; do
  cd "$folder"
  sha256sum -- *.js *.json *.txt *.woff2 > SHA256SUMS
done
