export default () => {
  globalThis.taps = 0;
  addEventListener("pointerdown", (event) => {
    globalThis.taps += event.isTrusted ? 1 : 0;
  }, { capture: true });
};
