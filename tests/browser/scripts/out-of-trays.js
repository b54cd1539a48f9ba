/**
 * Trays that run out of their place, and tokens that come too near to the round ends of their
 * tray.
 */
export default () =>
  [...document.querySelectorAll(".tray-place")].flatMap((place) => {
    const [tray, round] = [place.querySelector(".tray"), place.parentElement].map((of) =>
      of.getBoundingClientRect()
    );
    const own = place.getBoundingClientRect();
    const out = (one, of) => one.left < of.left - 1 || one.right > of.right + 1;
    const tokens = [...place.querySelectorAll(".point .glyph")].map((one) =>
      one.getBoundingClientRect()
    );
    const clear = { left: tray.left + tray.height / 6, right: tray.right - tray.height / 6 };
    return [
      ...(out(tray, own) || out(own, round) ? ["a tray"] : []),
      ...tokens.filter((one) => out(one, clear)).map(() => "a token"),
    ];
  });
