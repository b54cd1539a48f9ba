export default (selectors) => {
  const look = (selector, pseudo) => {
    const style = getComputedStyle(document.querySelector(selector), pseudo);
    const { borderWidth, borderColor, outlineStyle, outlineColor } = style;
    return {
      ground: style.backgroundColor,
      border: `${borderWidth} ${borderColor}`,
      outline: `${outlineStyle} ${outlineColor}`,
    };
  };
  return selectors.map((one) => look(...one.split("::").map((part, i) => i ? "::" + part : part)));
};
