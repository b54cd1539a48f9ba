/**
 * A script that keeps the last twelve events of the pointer: the milliseconds of the page, what,
 * where, and on what. It counts those of the wheel.
 */
export default () => {
  globalThis.tapsHere = [];
  globalThis.wheelsHere = 0;
  addEventListener("wheel", () => {
    wheelsHere += 1;
  }, { capture: true, passive: true });
  for (const kind of ["pointerdown", "pointerup", "click"]) {
    addEventListener(kind, ({ target, clientX, clientY }) => {
      const on = target.closest?.("button, a, summary, label, dialog") ?? target;
      const what = on.innerText?.trim().split("\n")[0].slice(0, 40) ?? "";
      const line = [
        Math.round(performance.now()),
        kind,
        clientX,
        clientY,
        on.localName,
        on.className,
        what,
      ].join(" ");
      tapsHere.splice(0, Math.max(0, tapsHere.push(line) - 12));
    }, { capture: true });
  }
};
