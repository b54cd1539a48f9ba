export default () =>
  document.getAnimations().filter((a) =>
    a.playState === "running" &&
    Number.isFinite(a.effect.getComputedTiming().endTime)
  ).length === 0;
