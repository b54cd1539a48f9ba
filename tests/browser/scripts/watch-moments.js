/** Keeps shown moments, which are over within a second. */
export default () => {
  globalThis.shownMoments = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (node.classList?.contains("moment")) {
          globalThis.shownMoments.push([
            node.dataset.motion,
            node.dataset.tone,
            node.querySelector(".moment-word").textContent,
          ]);
        }
      }
    }
  }).observe(document.body, { childList: true, subtree: true });
};
