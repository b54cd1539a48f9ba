"""`python -m benchmarks [name ...]`: run every benchmark, or those named."""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules

import benchmarks


def main() -> int:
    """Run each module with a `main()`, in the order of names; 2 for an unknown name."""
    known = [
        found.name for found in iter_modules(benchmarks.__path__) if not found.name.startswith("_")
    ]
    wanted = sys.argv[1:] or sorted(known)
    if unknown := [name for name in wanted if name not in known]:
        print(
            f"There is no benchmark {', '.join(unknown)}; there is {', '.join(sorted(known))}.",
            file=sys.stderr,
        )
        return 2
    for name in wanted:
        module = import_module(f"benchmarks.{name}")
        if hasattr(module, "main"):
            print(f"== {name}: {(module.__doc__ or '').partition(chr(10))[0]}")
            module.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
