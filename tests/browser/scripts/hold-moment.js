/** Holds every animation of a moment at its height, to be looked at. */
export default () => {
  for (const one of document.getAnimations()) {
    if (one.effect.target?.closest(".moment")) {
      one.pause();
      one.currentTime = one.effect.getTiming().duration * 0.5;
    }
  }
};
