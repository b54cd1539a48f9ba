export default () => {
  const edge = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll("body *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && box.right > edge + 1 && getComputedStyle(one).visibility !== "hidden" &&
      !one.closest(".visually-hidden, .skip-link, .fallen[data-falling=true], .heat, .wide > *");
  });
  return out.map((one) => `${one.tagName}.${one.className.baseVal ?? one.className}`);
};
