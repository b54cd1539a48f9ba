/**
 * Motion: changed elements move from their old place to the new one, unless people asked for
 * reduced motion.
 */

import { signal, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { keep, kept } from "../state/browser-storage.js";

const wish = matchMedia("(prefers-reduced-motion: reduce)");
const forced = matchMedia("(forced-colors: active)");

/**
 * The settings of this device: theme "dark" | "light" | "" (the system's), motion "" | "off"; and
 * sound, buzz and dice (that fall in space) "" | "on"; and whether these three were offered.
 */
export const device = signal({
  theme: kept("theme", ""),
  motion: kept("motion", ""),
  sound: kept("sound", ""),
  buzz: kept("buzz", ""),
  dice: kept("dice", ""),
  offered: kept("offered", ""),
});

/** Change a setting of this device, and keep it. */
export function setDevice(name, value) {
  keep(name, value);
  device.value = { ...device.value, [name]: value };
  dress();
}

/** Put the settings of this device on the page. */
export function dress() {
  for (const [name, value] of Object.entries(device.value)) {
    if (value) document.documentElement.dataset[name] = value;
    else delete document.documentElement.dataset[name];
  }
}

/**
 * Add the styles for colours that the system chooses, once it does: nobody else has to load them.
 */
export function dressForced() {
  if (forced.matches) addStyles("forced.css");
  else forced.addEventListener("change", dressForced, { once: true });
}

/** The custom property of each number of a world. */
const HUES = {
  ground: "--ground-hue",
  paper: "--paper-hue",
  yours: "--move-hue",
  others: "--other-hue",
  depth: "--depth",
};

/**
 * Give the page the look of a world, "" for none, with some numbers of a game's own; the styles for
 * all of them are loaded once.
 */
export function dressWorld(name, hues = {}) {
  const root = document.documentElement;
  for (const [key, property] of Object.entries(HUES)) {
    if (!(key in hues)) root.style.removeProperty(property);
    else root.style.setProperty(property, String(key === "depth" ? hues[key] / 100 : hues[key]));
  }
  if (!name) return void delete root.dataset.world;
  root.dataset.world = name;
  addStyles("worlds.css");
}

/** Add styles that few visits need, once. */
export function addStyles(name) {
  /** @type {HTMLLinkElement | null} */
  const own = document.querySelector('link[href*="/css/"]');
  if (!own || document.querySelector(`link[href$="${name}"]`)) return;
  const sheet = /** @type {HTMLLinkElement} */ (own.cloneNode());
  sheet.href = new URL(name, own.href).href;
  document.head.append(sheet);
}

/** Whether motion is reduced. */
export function calm() {
  return wish.matches || device.value.motion === "off";
}

/** A duration of the tokens, in milliseconds: `ms("--dice")`. */
export function ms(token) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(token).trim();
  return text.endsWith("ms") ? parseFloat(text) : parseFloat(text) * 1000 || 0;
}

/**
 * Call `end` at each tap or key anywhere, which still does what it was meant for. Returns how to
 * stop.
 */
export function onAnyInput(end) {
  const kinds = ["pointerdown", "keydown"];
  for (const kind of kinds) addEventListener(kind, end, { capture: true });
  return () => kinds.forEach((kind) => removeEventListener(kind, end, { capture: true }));
}

const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

/** Animate a new element: it fades in, or comes from the place of another. */
export function arrive(element, from, delay = 0) {
  if (calm()) return element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
  const start = from
    ? `translate(${from.x}px, ${from.y}px)`
    : "translateY(14px) scale(0.4) rotate(-24deg)";
  const frames = [{ transform: start, opacity: from ? 1 : 0 }, { transform: "none", opacity: 1 }];
  return element.animate(frames, {
    duration: from ? ms("--turn") : ms("--settle"),
    delay,
    easing: EASE,
    fill: "backwards",
  });
}

/**
 * A ref for a box whose children with `data-key` glide to their new places after each render. New
 * ones fade in, or come from the last place of the key that `from(key)` gives.
 */
export function useGlide(from) {
  const box = useRef(null);
  const places = useRef(/** @type {Map<string, { x: number, y: number }> | null} */ (null));
  useLayoutEffect(() => {
    if (!box.current) return;
    const before = places.current;
    const now = new Map();
    let news = 0;
    for (
      const element
        of /** @type {NodeListOf<HTMLElement>} */ (box.current.querySelectorAll("[data-key]"))
    ) {
      // The place in the layout, not in a running animation. The box is the offset parent, because
      // it has a position.
      const place = { x: element.offsetLeft, y: element.offsetTop };
      const key = element.dataset.key ?? "";
      now.set(key, place);
      if (!before) continue;
      const old = before.get(key) ?? before.get(from?.(key) ?? "");
      if (!old) arrive(element, null, news++ * ms("--stagger"));
      else if (Math.hypot(old.x - place.x, old.y - place.y) > 1 && !calm()) {
        arrive(element, { x: old.x - place.x, y: old.y - place.y });
      }
    }
    places.current = now;
  });
  return box;
}
