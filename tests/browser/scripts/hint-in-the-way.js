/** What the hint of a first visit covers, or pushes out of sight: its subject, and the step. */
export default () => {
  const ABOUT = { dock: ".dock button:not(.hint *)", pool: ".pool .die", points: ".trays button" };
  const whole = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && over && one.contains(over);
  };
  if (document.querySelector("dialog[open]")) return [];
  const hints = [...document.querySelectorAll(".hint")].filter((one) => one.checkVisibility());
  if (hints.length > 1) return [`hints stand together: ${hints.map((one) => one.innerText)}`];
  return hints.flatMap((hint) => {
    const about = [...document.querySelectorAll(ABOUT[hint.dataset.hint])].filter((one) =>
      one.checkVisibility()
    );
    const steps = [...document.querySelectorAll(".dock :is(.button, .offer)")].filter((one) =>
      !hint.contains(one) && one.checkVisibility()
    );
    return [
      ...(about.some(whole) ? [] : [`speaks of what is out of sight: ${hint.innerText}`]),
      ...steps.filter((one) => !whole(one)).map((one) =>
        `covers or pushes out of sight: ${one.innerText}`
      ),
    ];
  });
};
