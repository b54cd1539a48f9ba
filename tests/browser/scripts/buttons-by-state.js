/** How many buttons of the dock the sentence above them covers. */
export default () => {
  const state = document.querySelector(".dock-state").getBoundingClientRect();
  const buttons = [...document.querySelectorAll(".dock button")].map((one) =>
    one.getBoundingClientRect()
  );
  return buttons.filter((one) => one.top < state.bottom && one.bottom > state.top).length;
};
