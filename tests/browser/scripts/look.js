import covered from "./covered.js";
import cut from "./cut.js";
import equalButtons from "./equal-buttons.js";
import hintInTheWay from "./hint-in-the-way.js";
import markNewKinds from "./mark-new-kinds.js";
import settled from "./settled.js";
import shortened from "./shortened.js";
import smallTargets from "./small-targets.js";
import speaksOutOfSight from "./speaks-out-of-sight.js";
import steps from "./steps.js";
import tallLocks from "./tall-locks.js";
import tooWide from "./too-wide.js";
import twiceTheSize from "./twice-the-size.js";
import voice from "./voice.js";
import words from "./words.js";

/**
 * All that is looked for, once nothing moves; and the kinds of elements that no page before had.
 */
export default async ({ phone, known, least, every }) => {
  const still = () => !document.querySelector(".shield, .dock[data-asleep]") && settled();
  for (let n = 0; !still(); n += 1) {
    if (n > 3600) throw new Error("something moves all the time");
    await new Promise(requestAnimationFrame);
  }
  const root = document.documentElement, large = Boolean(root.style.fontSize);
  const dressed = async (size) => {
    root.style.fontSize = size;
    // What is laid out by the height of a bar is so a frame later.
    for (let n = 0; n < 2; n += 1) await new Promise(requestAnimationFrame);
  };
  const kinds = markNewKinds(known),
    table = document.querySelector(".table"),
    twice = table && (every || kinds.length);
  // What is scrolled into view keeps clear of the bars once the page knows how high they are.
  const BARS = [[".thumb", "--thumb-height"], [".views", "--views-height"], [
    ".screen-foot",
    "scroll-padding-block-end",
  ]];
  const isKnown = ([bar, property]) => {
    const height = document.querySelector(bar)?.getBoundingClientRect().height;
    return height === undefined ||
      Math.abs(parseFloat(root.style.getPropertyValue(property)) - height) < 1;
  };
  // So does the row at the foot of a sheet, which may grow with an answer that has just come.
  const isClear = (foot) => {
    const kept = parseFloat(foot.closest("dialog").style.scrollPaddingBlockEnd);
    return Number.isNaN(kept) || Math.abs(kept - foot.getBoundingClientRect().height) < 1;
  };
  const measured = async () => {
    const feet = () => [...document.querySelectorAll("dialog[open] .form-foot")];
    const known = () => BARS.every(isKnown) && feet().every(isClear);
    for (let n = 0; n < 60 && !known(); n += 1) await new Promise(requestAnimationFrame);
  };
  const inTwice = async () => {
    const found = await speaksOutOfSight();
    await measured();
    found.push(...twiceTheSize());
    if (large) found.push(...covered().map((one) => `is covered: ${one}`), ...cut());
    return found.map((one) => `at twice the size: ${one}`);
  };
  // As the page is, before anything else looks around and scrolls.
  const found = large ? await inTwice() : [...hintInTheWay(), ...await speaksOutOfSight()];
  if (large) {
    await dressed("");
    found.push(...await speaksOutOfSight());
  } else if (twice) {
    await dressed("200%");
    found.push(...await inTwice());
    await dressed("");
  }
  await measured();
  const wider = root.scrollWidth - root.clientWidth, taller = root.scrollHeight - root.clientHeight;
  found.push(
    ...smallTargets(least),
    ...tooWide().map((one) => `runs out of the window: ${one}`),
    ...(wider ? [`is ${wider} px too wide`] : []),
    // On a large screen the parts of a table scroll, and never the whole.
    ...(!phone && table && taller ? [`scrolls as a whole, by ${taller} px`] : []),
    ...covered().map((one) => `is covered: ${one}`),
    ...steps(),
    ...words(),
    ...cut(),
    ...shortened(),
    ...equalButtons(),
    ...(phone ? tallLocks() : []),
    ...(table ? await voice() : []),
  );
  // A kind that has gone meanwhile, such as a notice, is read where it appears again.
  const left = document.querySelector("[data-new-kind]") ? kinds : [];
  return { kinds: left, found };
};
