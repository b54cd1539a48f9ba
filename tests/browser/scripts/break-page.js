export default () => {
  const add = (name, style) =>
    document.body.appendChild(Object.assign(document.createElement(name), { style }));
  add("button", "position: fixed; inset-block-end: 20px; z-index: 1; width: 60px; height: 60px");
  add("p", "width: 200vw; height: 4px");
  add("p", "position: fixed; inset: 0 0 50%; width: 100vw");
  const sign = Object.assign(add("p", "position: fixed; inset: 0 auto auto 0"), {
    className: "inline",
  });
  sign.append(Object.assign(document.createElement("svg"), { className: "glyph" }), "1.4");
  add("p", "position: fixed; inset: 0 auto auto 0").textContent = "The hands's turn";
  add("p", "position: fixed; inset: 20% auto auto 0").textContent = "immediate_only";
  add(
    "p",
    "position: fixed; inset: 25% auto auto 0; width: 40px; overflow: hidden; " +
      "white-space: nowrap; " +
      "text-overflow: ellipsis",
  ).textContent = "A sentence without its end";
  for (const move of ["one.do", "other.do"]) {
    const twin = add(
      "button",
      "position: fixed; inset: 10% auto auto 0; width: 60px; height: 60px",
    );
    Object.assign(twin.dataset, { move });
    Object.assign(twin, { textContent: "A twin", disabled: true });
  }
  add("p", "position: fixed; inset: 0 auto auto 0; line-height: 0.5; height: 9px").className =
    "one-line";
  document.body.lastChild.textContent = "going";
  const lock = Object.assign(add("button", "position: fixed; inset: 40% auto auto 0"), {
    className: "menu-row",
  });
  lock.setAttribute("aria-disabled", "true");
  lock.textContent = "A lock";
  for (const end of ["35%", "45%"]) {
    add("button", `position: fixed; inset: ${end} 0 auto auto; height: 44px`).textContent =
      "Go on twice";
  }
  const tall = Object.assign(
    add("button", "position: fixed; inset: 50% auto auto 0; height: 60px"),
    {
      className: "offer",
      ariaExpanded: "false",
      textContent: "A tall lock",
      disabled: true,
    },
  );
  tall.setAttribute("aria-disabled", "true");
  add("button", "position: fixed; inset: 30% auto auto 0; width: 60px; height: 60px").textContent =
    "–";
  const table = document.querySelector(".table");
  table.append(Object.assign(document.createElement("p"), { textContent: "Waiting for Godot." }));
  console.error("a mistake");
};
