/**
 * Where the dock begins, and what is between it and the head: parts of the height of the window.
 */
export default () => {
  const [head, thumb] = [".table-head", ".thumb"].map((one) =>
    document.querySelector(one).getBoundingClientRect()
  );
  return [thumb.top / innerHeight, (thumb.top - head.bottom) / innerHeight];
};
