/** All that can be read on the page, and how much of it is chosen or open. */
export default () =>
  [...document.querySelectorAll(".table, dialog[open], .toasts")].map((one) => one.innerText).join(
    "\n",
  ) +
  [...document.querySelectorAll("[aria-pressed=true], [aria-expanded=true], :checked")].length;
