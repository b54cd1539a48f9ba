/** Whether one part of the page is above another. */
export default (selectors) => {
  const [one, other] = selectors.map((selector) =>
    document.querySelector(selector)?.getBoundingClientRect()
  );
  return Boolean(one && other) && one.bottom <= other.top;
};
