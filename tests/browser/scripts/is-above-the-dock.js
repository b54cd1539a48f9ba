/** Whether all of these are above the dock, and so in sight. */
export default (selector) => {
  const [bar, ...found] = [".thumb", selector].flatMap((
    one,
  ) => [...document.querySelectorAll(one)]);
  return found.length &&
    found.every((one) => one.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top);
};
