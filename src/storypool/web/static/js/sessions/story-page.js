/** The page of a story, which reads without it: the numbers of a world that a game has changed. */

const HUES = {
  ground: "--ground-hue",
  paper: "--paper-hue",
  yours: "--move-hue",
  others: "--other-hue",
  depth: "--depth",
};

const root = document.documentElement;
for (const [key, property] of Object.entries(HUES)) {
  const value = root.dataset[key];
  if (!value) continue;
  root.style.setProperty(property, key === "depth" ? String(Number(value) / 100) : value);
}
