export default (least) => {
  const seen = (one) =>
    one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length;
  const inText = (one) => one.closest("p, .visually-hidden, .skip-link, .card > h3, .table-link");
  const wanted = [
    "button",
    "a[href]",
    "select",
    "textarea",
    "summary",
    "label.pick",
    "label.choice",
    "label.face-pick",
    "input:not([type=radio], [type=checkbox], [type=file])",
  ].join();
  const place = document.querySelector("dialog[open]") ?? document;
  return [...place.querySelectorAll(wanted)].filter((one) => seen(one) && !inText(one))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.height < least - 0.5 || box.width < least - 0.5)
    .map(([one, box]) =>
      `${one.outerHTML.slice(0, 120)} is ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`
    );
};
