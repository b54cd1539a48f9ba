/**
 * The bars that stay in place above and below: how high they are, so that nothing with the focus is
 * under them.
 */

import { useEffect } from "../../vendor/preact.js";
import { keepInView } from "./in-view.js";

/** Each bar, and the property that holds its height. */
const BARS = [
  [".table-head", "--head-height"],
  [".thumb", "--thumb-height"],
  [".views", "--views-height"],
];

/**
 * A head that takes more of the window than this does not stay in place: in large letters it would
 * leave no room.
 */
const MOST_HEAD = 0.2;

/**
 * Keep the heights of the bars of a table in properties of the page, and what speaks in view when
 * they change.
 */
export function useBars() {
  useEffect(() => {
    const { dataset, style } = document.documentElement;
    const bars = BARS.map((
      [selector, property],
    ) => /** @type {[HTMLElement, string]} */ ([document.querySelector(selector), property]));
    const measure = () => {
      const tall = String(bars[0][0].offsetHeight > innerHeight * MOST_HEAD);
      /** @type {Array<[string, string]>} */
      const heights = bars.map(([bar, property]) => [
        property,
        `${bar.getBoundingClientRect().height}px`,
      ]);
      // All that is on the page inherits these: a change is worked out for the whole of it, and so
      // is a look after one.
      for (const [property, height] of heights) {
        if (style.getPropertyValue(property) !== height) style.setProperty(property, height);
      }
      if (dataset.tall !== tall) dataset.tall = tall;
      keepInView();
    };
    const watch = new ResizeObserver(measure);
    for (
      const one of [
        ...bars.map(([bar]) => bar),
        /** @type {Element} */ (document.querySelector(".middle")),
      ]
    ) {
      watch.observe(one);
    }
    return () => {
      watch.disconnect();
      delete dataset.tall;
      for (const [, property] of BARS) style.removeProperty(property);
    };
  }, []);
}

/**
 * Scroll what gets the focus in a sheet or on a screen out from under the row at its foot, however
 * high that is.
 */
export function useFoot(place) {
  useEffect(() => {
    const foot = place.current.querySelector(".form-foot, .screen-foot");
    const scrolled = place.current.closest("dialog") ??
      (foot?.matches(".screen-foot") ? document.documentElement : null);
    if (!foot || !scrolled) return undefined;
    const watch = new ResizeObserver(() => {
      scrolled.style.scrollPaddingBlockEnd = getComputedStyle(foot).position === "sticky"
        ? `${foot.getBoundingClientRect().height}px`
        : "";
    });
    watch.observe(foot);
    return () => {
      watch.disconnect();
      scrolled.style.scrollPaddingBlockEnd = "";
    };
  }, []);
}
