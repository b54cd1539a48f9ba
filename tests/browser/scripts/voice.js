/**
 * All that the page says about whose move it is comes from the waits, once each; and gold is the
 * reader's own next step.
 */
export default async () => {
  const { store } = await import(document.querySelector("script[type=module]").src);
  const waits = store.waits.value;
  const told = /^(Waiting for|All clear)/;
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const lines = shown(".table :is(p, li, span, strong)").filter((one) =>
    !one.closest(".log") && !one.children.length
  )
    .map((one) => one.textContent.trim())
    .filter((line) => told.test(line) || waits.some((one) => one.text === line));
  const own = waits.filter((one) => one.yours);
  return [
    ...lines.filter((line) =>
      !waits.some((one) => one.text === line) && !(waits.length === 0 && /^All/.test(line))
    )
      .map((line) =>
        `says “${line}” and waits for ${JSON.stringify(waits.map((one) => one.text))}`
      ),
    ...lines.filter((line, n) => lines.indexOf(line) !== n).map((line) => `says twice: ${line}`),
    ...lines.map((line) => waits.find((one) => one.text === line))
      .filter((one, n, all) =>
        one?.check && !one.yours &&
        all.findIndex((other) =>
            `${other?.check} ${other?.whom}` === `${one.check} ${one.whom}`
          ) !== n
      )
      .map((one) => `waits for the same seats once more: ${one.text}`),
    ...(waits.length ? shown(".board-turn") : []).map((one) =>
      `says besides whose turn it is: ${one.textContent}`
    ),
    ...(waits.length && !own.length ? shown(".table [data-kind=primary]") : [])
      .map((one) => `is gold while others are waited for: ${one.textContent}`),
  ];
};
