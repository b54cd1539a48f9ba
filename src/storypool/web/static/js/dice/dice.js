/**
 * Falling dice: solids that tumble to the faces that the server has already rolled, until a tap
 * skips it.
 */

import { effect, html, signal, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { dieOf, faceOf, hinders, lookOf } from "../state/looks.js";
import { fall, firstSeq, holdBack } from "../state/store.js";
import { later } from "../state/wire.js";
import { drawnLater } from "../ui/drawn-later.js";
import { calm, device, ms, onAnyInput } from "../ui/motion.js";
import { buzz, knock, rattle } from "../ui/sound.js";
import { Face, Outline } from "../ui/parts.js";
import { say } from "../state/words.js";

/** @import { Ref } from "../../vendor/preact.js" */

const LAYERS = 4;
const MOST_SOLID = 24;
const FRESH = 4000;
/** When a falling die touches the table, as a part of its fall. */
const LANDS = 0.78;
/** The force with which it lands, and how a device buzzes as the dice leave the hand. */
const FORCE = 22;
const SHAKEN = [12, 50, 12, 50, 12];

/** Rolls whose animation was shown, so that no redrawing shows it again. */
const fallen = new Set();

/** The record number of the last roll whose dice have come to lie on this page. */
export const landed = signal(0);

/** Whether the roll of this record still has to be animated: it is new and was not shown yet. */
export function falls({ seq, at }) {
  return seq > firstSeq.value && !fallen.has(seq) && Math.abs(Date.now() - at) < FRESH * 15;
}

// A fade that replaces motion is over before it could be waited for, and nobody sees a hidden page.
holdBack((record) => !document.hidden && !calm() && falls(record));

/** The labels of the dice of an action that a player put somewhere, in the order of the roll. */
export const placedIn = ({ terms }) =>
  panelsOf("terms").map(({ binds }) => terms[binds.placed ?? ""]).find(Boolean) ?? [];

/** Says that dice were rolled by hand. */
export const ByHand = drawnLater(
  (again) => import(`./by-hand.js${again}`).then((made) => made.ByHand),
  () => null,
);

/** Whether a die was rolled by hand. */
export const isByHand = (rolled) => rolled.some(({ source }) => source === "hand");

/** The component of dice that fall in space, or null: who does not want it does not load it. */
const felt = signal(null);
const inSpace = later((again) => import(`../falling/felt.js${again}`));
effect(() => {
  felt.value = null;
  if (device.value.dice && !calm()) inSpace().then((made) => made.fallOn(felt), () => {});
});

/**
 * Rolled dice, [{ die, face, source }]. If the record `seq` is new they fall first, and `settled`
 * is called when all lie. `dice` are the dice of their action in the same order, with faces as they
 * count in it; `placed` are the labels of those that a player put somewhere; `last` is the place of
 * the one that lands last. `again` are those that the record rolled.
 */
export function Fallen(props) {
  const isFlat = props.small || !props.seq || calm();
  return html`<${(!isFlat && felt.value) || Flat} ...${props} />`;
}

/** Rolled dice that fall and lie flat on the page. */
export function Flat(
  { rolled, dice = [], placed = [], seq, falling, settled, small, last = rolled.length - 1 },
) {
  const [box, isDown] = useFall(seq, falling, settled, (list) => throwFlat(list, last));
  return html`
    <ul
      class="fallen cluster centre gap-1 full"
      ref=${box}
      data-falling=${String(!isDown)}
      data-many=${size(rolled.length)}
      data-small=${small ? "true" : undefined}
    >
      ${rolled.map(({ die: name, face, source }, i) =>
        html`
          ${i > 0 && hinders(name) && !hinders(rolled[i - 1].die) &&
            html`<li class="pool-break" aria-hidden="true" key="break"></li>`}
          <li key=${i}>
            <${Solid}
              die=${dice[i]?.name === name ? dice[i] : dieOf(name)}
              face=${face}
              source=${source}
              layers=${rolled.length > MOST_SOLID || isDown ? 0 : LAYERS}
            />
            ${placed[i] && html`<span class="die-place block fine text-centre">${placed[i]}</span>`}
          </li>
        `
      )}
      ${isByHand(rolled) && html`<${ByHand} rolled=${rolled} />`}
    </ul>
  `;
}

/**
 * The fall of the dice of a roll, which `start` begins in their box: [a ref for the box, whether
 * all of them lie]. It ends by itself, at a tap or key, and when nobody sees the page any more.
 *
 * @param {number} seq
 * @param {boolean} falling
 * @param {(() => void) | undefined} settled
 * @param {(box: any) => { landing: Promise<unknown>, finish: () => void, latest: number }} start
 * @returns {[Ref<HTMLElement>, boolean]}
 */
export function useFall(seq, falling, settled, start) {
  const box = useRef(null);
  const [isDown, setDown] = useState(!falling);
  useLayoutEffect(() => {
    if (isDown) return;
    const lie = fall(seq);
    const { landing, finish, latest } = start(box.current);
    const end = () => {
      if (fallen.has(seq)) return;
      finish();
      fallen.add(seq);
      landed.value = seq;
      setDown(true);
      settled?.();
      lie();
    };
    void landing.then(end, end);
    // Animations may stop on a hidden page, and never end.
    const late = setTimeout(end, latest);
    const forget = onAnyInput(end);
    document.addEventListener("visibilitychange", end);
    return () => {
      forget();
      document.removeEventListener("visibilitychange", end);
      clearTimeout(late);
      lie();
    };
  }, [isDown]);
  return [box, isDown];
}

/** Throw the flat dice of a list, the one at `last` landing last. */
function throwFlat(list, last) {
  const dice = [...list.querySelectorAll(".solid")];
  const order = [...dice.keys()].filter((i) => i !== last);
  const throws = dice.map((die, i) =>
    thrown(die, i, i === last ? dice.length - 1 : order.indexOf(i), dice.length)
  );
  const knocks = throws.map(({ effect }) =>
    setTimeout(
      () => knock(FORCE),
      effect.getTiming().delay + effect.getTiming().duration * LANDS,
    )
  );
  rattle();
  buzz(SHAKEN);
  return {
    landing: Promise.all(throws.map((one) => one.finished)),
    finish: () => {
      for (const one of throws) one.finish();
      knocks.forEach(clearTimeout);
    },
    latest: 2 * ms("--dice"),
  };
}

/** The room that each of so many dice gets. */
export function size(n) {
  return n > 30 ? "crowd" : n > 15 ? "many" : n > 6 ? "some" : "few";
}

function Solid({ die, face, source, layers }) {
  const look = lookOf(die.name);
  const upper = faceOf(die, face);
  const hand = source === "hand";
  return html`
    <span
      class="throw"
      role="img"
      aria-label=${say(hand ? "dice.byHand" : "dice.shows", { die: look.word, face: upper.words })}
    >
      <span class="solid">
        ${Array.from({ length: layers }, (_, i) =>
          html`
            <span class="layer die" data-colour=${look.colour} style=${{ "--layer": i }} key=${i}>
              <${Outline} look=${look} />
            </span>
          `)}
        <span class="underside die" data-colour=${look.colour}>
          <${Outline} look=${look} />
          <span class="die-letter">${look.letter}</span>
        </span>
        <span class="upside die" data-colour=${look.colour} data-outline=${look.outline}>
          <${Outline} look=${look} />
          <${Face} look=${look} ...${upper} />
        </span>
      </span>
    </span>
  `;
}

/**
 * One falling die: up from the edge of the table, tumbling, and down on its face. The dice land one
 * after the other, in the order of `nth`; before the last of them there is a pause.
 */
function thrown(die, i, nth, n) {
  if (calm()) return die.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
  const all = ms("--dice");
  const apart = n > 2 ? Math.min(ms("--stagger") * 1.5, (all * 0.34) / (n - 2)) : 0;
  const delay = nth && nth === n - 1 ? apart * (n - 2) + all * 0.24 : apart * nth;
  const side = (i % 2 ? 1 : -1) * (30 + ((i * 37) % 50));
  const turns = 2 + (i % 3);
  const frames = [
    {
      transform: `translate3d(${side}px, 190px, 0) rotateX(${-turns * 360}deg) rotateY(${
        turns * 180
      }deg) rotateZ(${side * 4}deg) scale(0.7)`,
      opacity: 0,
    },
    {
      transform: `translate3d(${side / 2}px, -46px, 90px) rotateX(${-turns * 150}deg) rotateY(${
        turns * 80
      }deg) rotateZ(${side * 1.6}deg) scale(1.15)`,
      opacity: 1,
      offset: 0.45,
    },
    {
      transform: "translate3d(0, 0, 0) rotateX(-40deg) rotateY(18deg) rotateZ(6deg) scale(1)",
      offset: LANDS,
    },
    {
      transform: "translate3d(0, -9px, 20px) rotateX(14deg) rotateY(-6deg) rotateZ(-2deg) scale(1)",
      offset: 0.89,
    },
    { transform: "none", opacity: 1 },
  ];
  return die.animate(frames, {
    duration: all * 0.66,
    delay,
    easing: "ease-out",
    fill: "backwards",
  });
}
