/**
 * The page of a story, which reads without it: the numbers of a world that a game has changed, and
 * dice that are rolled again in their place. Without it, the page shows a moving picture instead.
 */

const HUES = {
  ground: "--ground-hue",
  paper: "--paper-hue",
  yours: "--move-hue",
  others: "--other-hue",
  depth: "--depth",
};
/** Milliseconds in which a die falls, and those between two dice. */
const FALL = 800;
const STAGGER = 90;

const root = document.documentElement;
for (const [key, property] of Object.entries(HUES)) {
  const value = root.dataset[key];
  if (!value) continue;
  root.style.setProperty(property, key === "depth" ? String(Number(value) / 100) : value);
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The fall of one die, with the turns of its own. */
function fall(die, i) {
  const turns = 400 + 67 * (i % 5);
  const steps = [
    { transform: `translate(-40px, -120px) rotate(-${turns}deg)`, opacity: 0 },
    { transform: `translate(-18px, 0) rotate(-${turns / 3}deg)`, opacity: 1, offset: 0.45 },
    { transform: `translate(-8px, -34px) rotate(-${turns / 6}deg)`, offset: 0.65 },
    { transform: "translate(-2px, 0) rotate(-12deg)", offset: 0.85 },
    { transform: "none" },
  ];
  const how = { duration: FALL, delay: STAGGER * i, easing: "ease-out", fill: "backwards" };
  return die.animate(steps, /** @type {KeyframeAnimationOptions} */ (how)).finished;
}

/** Whether this browser's owner wants dice that fall in space. */
function wantsSpace() {
  try {
    return localStorage.getItem("storypool.dice") === '"on"';
  } catch {
    return false;
  }
}

/**
 * Throw the dice of an article in space, in the place of the flat ones, which are still read aloud;
 * returns whether that worked.
 */
async function inSpace(article) {
  const flat = article.querySelector(".story-dice");
  let box = article.querySelector(".story-felt");
  if (!box) {
    box = Object.assign(document.createElement("div"), { className: "story-felt" });
    box.setAttribute("aria-hidden", "true");
    flat.before(box);
  }
  const thrown = import("../falling/story-dice.js").then(({ throwIn }) =>
    throwIn(box, JSON.parse(article.dataset.dice))
  );
  flat.classList.add("visually-hidden");
  box.hidden = false;
  const worked = await thrown.catch(() => false);
  flat.classList.toggle("visually-hidden", worked);
  box.hidden = !worked;
  return worked;
}

/** Roll the dice of an article again; its result waits until the last one has landed. */
async function rollAgain(article) {
  const dice = [...article.querySelectorAll(".story-die")];
  article.dataset.rolling = "true";
  if (!wantsSpace() || !(await inSpace(article))) await Promise.allSettled(dice.map(fall));
  delete article.dataset.rolling;
}

for (const again of document.querySelectorAll(".story-throw summary")) {
  again.addEventListener("click", (event) => {
    const article = again.closest("article");
    if (calm.matches || !article) return;
    event.preventDefault();
    if (!article.dataset.rolling) rollAgain(article);
  });
}
