/**
 * A safe thumb: what appears under a thumb that has just tapped does not answer at once, and what
 * is pressed does, also where the page moves it away before the finger is up.
 */

import { say } from "../state/words.js";

/**
 * For so many milliseconds from its being painted on it does not answer: a second tap was meant for
 * what stood there before.
 */
const ASLEEP = 600;
/** For so many milliseconds after a tap its place is watched: the answer to a move may be slow. */
const WATCHED = 3000;
/** A tap within so many pixels is at the same place: half the shield. */
const NEAR = 28;
const PRESSED = "button, a[href], summary, label";

/** Covers the place while what came there is asleep, and takes the tap. */
const shield = document.createElement("div");
shield.className = "shield";
shield.setAttribute("aria-hidden", "true");

/** What a tap that is not taken is answered with, where it fell, for so many milliseconds. */
const sign = document.createElement("p");
sign.className = "swallowed card small";
sign.setAttribute("aria-hidden", "true");
const SIGNED = 900;
let signed = null;

/**
 * The place of the last tap: where, what stands there, until when it is watched, until when it is
 * asleep, and whether what came there is still to be painted; or null.
 */
let tapped = null;

/** What is pressed and where, until the finger is up; or null. */
let pressed = null;

/**
 * The frame in which the place is looked at next, and the time at which it is in any case; or 0.
 */
let frame = 0;
let timer = null;

/**
 * Reports all that can bring something else to the place, but for what travels there and what is
 * scrolled.
 */
const changes = new MutationObserver(lookSoon);

/**
 * Guard the page from now on. Taps alone are guarded: keys press what has the focus, not what comes
 * to a place.
 */
export function guardTaps() {
  addEventListener("pointerdown", watch, { capture: true });
  addEventListener("click", keep, { capture: true });
  // A reader who scrolls has looked.
  for (const kind of ["pointercancel", "wheel"]) {
    addEventListener(kind, leave, { capture: true, passive: true });
  }
  for (const kind of ["scroll", "resize", "load"]) {
    addEventListener(kind, lookSoon, { capture: true, passive: true });
  }
}

/**
 * Leave the keys with which letters are composed to the input method: they send, choose and close
 * nothing.
 */
export function guardComposing() {
  addEventListener("keydown", (event) => {
    // In Safari only the number of the key that ends it is known.
    if (!event.isComposing && event.keyCode !== 229) return;
    event.stopImmediatePropagation();
    if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
  }, { capture: true });
}

function watch(event) {
  pressed = null;
  if (
    event.isTrusted &&
    (event.target === shield || event.target.closest("[data-asleep] :is(button, a)"))
  ) tellSwallowed(event);
  if (!event.isTrusted || !event.isPrimary || event.button !== 0 || event.target === shield) return;
  const running = Boolean(tapped);
  const { clientX: x, clientY: y } = event;
  if (running && Math.hypot(x - tapped.x, y - tapped.y) < NEAR && changed(performance.now())) {
    // It came since the last frame. What is pressed here and let go over the shield is no tap on
    // it.
    event.stopImmediatePropagation();
    tellSwallowed(event);
    return cover(tapped);
  }
  tapped = {
    x,
    y,
    stands: standing(x, y),
    until: performance.now() + WATCHED,
    asleep: 0,
    unseen: false,
  };
  const button = event.target.closest(PRESSED);
  pressed = button && { button, x, y };
  if (!running) {
    changes.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  }
  lookSoon();
}

/** Show at the finger that a tap came too soon for what had only just come there. */
function tellSwallowed({ clientX, clientY }) {
  sign.textContent = say("tap.soon");
  sign.style.insetInlineStart = `${clientX}px`;
  sign.style.top = `${clientY}px`;
  topmost().append(sign);
  clearTimeout(signed);
  signed = setTimeout(() => sign.remove(), SIGNED);
}

/**
 * The topmost sheet, because everything outside of it takes no taps and is not seen; or the page.
 */
const topmost = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;

/**
 * Press what the finger went down on, where the page has moved it away meanwhile: the browser would
 * press nothing.
 */
function keep(event) {
  if (!event.isTrusted || !pressed) return;
  const { button, x, y } = pressed;
  pressed = null;
  if (button.contains(event.target) || !button.isConnected) return;
  // Where it is still there, the finger has slid off it on purpose.
  if (
    Math.hypot(event.clientX - x, event.clientY - y) >= NEAR ||
    document.elementsFromPoint(x, y).includes(button)
  ) return;
  const sheet = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (sheet && !sheet.contains(button)) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  button.click();
}

function leave() {
  pressed = null;
  forget();
}

/** Watch the place no longer; what is pressed stays so until the finger is up. */
function forget() {
  tapped = null;
  shield.remove();
  changes.disconnect();
  clearTimeout(timer);
  cancelAnimationFrame(frame);
  frame = 0;
}

function lookSoon() {
  if (tapped) frame ||= requestAnimationFrame(look);
}

/**
 * Look at the place: another button than the one before is asleep for a moment; the same one never
 * is.
 *
 * It is looked at again when the page changes, in each frame while something travels, when it
 * wakes, and at the end.
 */
function look() {
  frame = 0;
  const now = performance.now();
  if (!changed(now) && tapped.unseen) {
    Object.assign(tapped, { asleep: now + ASLEEP, unseen: false });
  }
  const asleep = now < tapped.asleep;
  if (asleep) cover(tapped);
  else shield.remove();
  const end = asleep ? tapped.asleep : tapped.until;
  if (now >= end) return forget();
  if (travelling()) lookSoon();
  clearTimeout(timer);
  timer = setTimeout(lookSoon, end - now);
}

/** Whether something travels on the page; what turns for ever stays at its place. */
function travelling() {
  return document.getAnimations().some(({ playState, effect }) =>
    playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime)
  );
}

/** Whether another button has come to the place, which is asleep from now on. */
function changed(now) {
  const there = standing(tapped.x, tapped.y);
  if (!there || there === tapped.stands) return false;
  tapped.stands = there;
  Object.assign(tapped, { asleep: now + ASLEEP, unseen: true });
  return true;
}

/**
 * What a tap at this place would press: a button, or the veil round a sheet, which closes it; or
 * null.
 */
function standing(x, y) {
  const hit = document.elementsFromPoint(x, y).find((one) => one !== shield);
  return hit?.closest(PRESSED) ?? (hit?.localName === "dialog" ? hit : null);
}

/** Lay the shield over a place. */
function cover({ x, y }) {
  const parent = topmost();
  if (shield.parentNode !== parent) parent.append(shield);
  // A sheet that moves carries what is fixed in it along.
  const { left, top, width, height } = shield.getBoundingClientRect();
  const off = { x: x - left - width / 2, y: y - top - height / 2 };
  // Moved by less than that it would be rounded, and moved again.
  if (Math.hypot(off.x, off.y) < 1) return;
  shield.style.left = `${(parseFloat(shield.style.left) || 0) + off.x}px`;
  shield.style.top = `${(parseFloat(shield.style.top) || 0) + off.y}px`;
}
