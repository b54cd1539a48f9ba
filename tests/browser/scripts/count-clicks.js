export default () => {
  globalThis.pressed = 0;
  document.addEventListener("click", (event) => {
    pressed += Boolean(event.target.closest("button"));
  });
};
