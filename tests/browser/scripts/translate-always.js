import translate from "./translate.js";

export default () => {
  const replace = translate;
  replace();
  new MutationObserver(replace).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
  });
};
