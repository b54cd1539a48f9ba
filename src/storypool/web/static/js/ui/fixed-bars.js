/** The bars that stay in place above and below: how high they are, so that nothing with the focus is under them. */

import { useEffect } from "../../vendor/preact.js";

/** Each bar, and the property that holds its height. */
const BARS = [[".table-head", "--head-height"], [".thumb", "--thumb-height"], [".views", "--views-height"]];

/** Keep the heights of the bars of a table in properties of the page. */
export function useBars() {
  useEffect(() => {
    const { style } = document.documentElement;
    const watches = BARS.map(([selector, property]) => {
      const bar = document.querySelector(selector);
      const watch = new ResizeObserver(() => style.setProperty(property, `${bar.getBoundingClientRect().height}px`));
      watch.observe(bar);
      return watch;
    });
    return () => {
      for (const watch of watches) watch.disconnect();
      for (const [, property] of BARS) style.removeProperty(property);
    };
  }, []);
}

/** Scroll what gets the focus in a sheet out from under the row at its foot, however high that is. */
export function useFoot(form) {
  useEffect(() => {
    const foot = form.current.querySelector(".form-foot");
    const sheet = form.current.closest("dialog");
    if (!foot || !sheet) return undefined;
    const watch = new ResizeObserver(() => {
      sheet.style.scrollPaddingBlockEnd = `${foot.getBoundingClientRect().height}px`;
    });
    watch.observe(foot);
    return () => watch.disconnect();
  }, []);
}
