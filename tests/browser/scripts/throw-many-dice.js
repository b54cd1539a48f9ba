/**
 * Throw pools of dice on many seeds, and return what is wrong with how they end: a test reads it.
 */
export default async ({ folder, pools, seeds }) => {
  const { POSE, POSES, seedOf, thrown } = await import(`${folder}/throw.js`);
  const { solidOf } = await import(`${folder}/solids.js`);
  const faults = [];
  const ends = new Set();
  const upOf = ([x, y, z, w], [a, b, c]) =>
    2 * (x * z - y * w) * a + 2 * (y * z + x * w) * b + (1 - 2 * (x * x + y * y)) * c;
  for (const sides of pools) {
    for (let n = 0; n < seeds; n += 1) {
      const seed = seedOf(`table/${n}`);
      const last = n % sides.length;
      const found = thrown(seed, sides, last);
      const again = thrown(seed, sides, last);
      const name = `${sides} ${n}`;
      const end = found.poses.subarray((found.length - 1) * sides.length * POSE);
      const pose = (i) => [...end.subarray(i * POSE, (i + 1) * POSE)];
      ends.add(end.join(" "));
      if (found.length < POSES / 2) faults.push(`${name}: no motion`);
      if (again.poses.join(" ") !== found.poses.join(" ")) faults.push(`${name}: not repeated`);
      sides.forEach((one, i) => {
        const solid = solidOf(one);
        const [x, y, z, ...turn] = pose(i);
        if (upOf(turn, solid.normals[found.down[i]]) > -0.999) faults.push(`${name}: ${i} leans`);
        if (Math.abs(z - solid.inner) > 0.05) faults.push(`${name}: ${i} floats`);
        const isOut = Math.abs(x) > found.width / 2 || Math.abs(y) > found.depth / 2;
        if (isOut) faults.push(`${name}: ${i} is off the felt`);
        if (i !== last && found.settled[i] >= found.settled[last]) {
          faults.push(`${name}: ${i} late`);
        }
        for (let k = 0; k < i; k += 1) {
          const [a, b] = pose(k);
          const apart = Math.hypot(a - x, b - y);
          if (apart < solid.inner + solidOf(sides[k]).inner - 0.1) faults.push(`${name}: in ${k}`);
        }
      });
    }
  }
  return { faults, ends: ends.size };
};
