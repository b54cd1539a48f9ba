/**
 * Smooth scrolls take over a second, as in a busy browser; those to a result count when the page
 * puts itself elsewhere. The browser does not: it would follow what grows above what is seen,
 * which moves nothing on the screen.
 */
export default () => {
  const scrolledTo = Element.prototype.scrollTo;
  addEventListener("DOMContentLoaded", () => {
    document.documentElement.style.overflowAnchor = "none";
  });
  [globalThis.scrolls, globalThis.ended, globalThis.jumps] = [0, 0, 0];
  Element.prototype.scrollTo = function (to) {
    if (to?.behavior !== "smooth") return scrolledTo.call(this, to);
    const [mine, way] = [globalThis.scrolls += 1, to.top - this.scrollTop];
    const counts = document.querySelector(".outcome .result");
    let [n, gone] = [0, 0];
    let last = this.scrollTop;
    const go = () => {
      if (mine !== globalThis.scrolls) return;
      globalThis.jumps += counts && this.scrollTop !== last ? 1 : 0;
      const by = Math.round(way * (n += 1) / 66) - gone;
      this.scrollTop += by;
      gone += by;
      last = this.scrollTop;
      if (n < 66) requestAnimationFrame(go);
      else globalThis.ended = mine;
    };
    requestAnimationFrame(go);
  };
};
