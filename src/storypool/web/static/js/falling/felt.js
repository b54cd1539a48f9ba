/**
 * Dice that fall: the dice of a roll as solids, thrown on a felt. Loaded by those who want it; a
 * page that cannot show it keeps the flat dice.
 */

import { effect, html, signal, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { ByHand, Flat, isByHand, useFall } from "../dice/dice.js";
import { dieOf } from "../state/looks.js";
import { check, here } from "../state/store.js";
import { later } from "../state/wire.js";
import { addStyles, device } from "../ui/motion.js";
import { buzz, knock } from "../ui/sound.js";
import { isWeak } from "./device-power.js";
import { isSame, keptOf, stepsOf } from "./kept-dice.js";
import { piecesOf } from "./pieces.js";
import { faceBelow, makeScene } from "./scene.js";
import { frameOf, shownOn, solidOf, turnOf, waysOf } from "./solids.js";
import { POSE, POSES, seedOf, thrown } from "./throw.js";

const drawing = later((again) => import(`../dice/drawn-shapes.js${again}`));

/** Frames in a second below which a throw was slow, and so many of them in a row are too many. */
const SLOW = 18;
const MOST_SLOW = 2;
/** Milliseconds after which a throw is over, whatever became of its frames. */
const LATE = 1500;
/** The speed of an impact that is heard, and of one that is felt, for so many milliseconds. */
const LOUD = 9;
const HARD = 16;
const TOUCH = 8;
/** Seconds in which the page may scroll to the felt. */
const TO_SEE = 0.6;

let scene = /** @type {ReturnType<typeof makeScene>} */ (null);
/** Slow throws in a row, and the record of the last of too many: later ones are flat. */
let slow = 0;
let tooSlow = Infinity;
/** The dice whose first picture was drawn before they were thrown. */
const warmed = new Set();
let stopWarming = () => {};
/** The roll that has the canvas: the one that came last. */
const owner = signal(/** @type {object | null} */ (null));

/**
 * Put the component of falling dice into `felt`, unless this device had better not. It is taken
 * back when its context is lost, or it turns out to be slow.
 */
export async function fallOn(felt) {
  if (await isWeak()) return;
  const { drawShapes } = await drawing();
  try {
    scene ??= makeScene(drawShapes);
  } catch {
    scene = null;
  }
  if (!scene || device.peek().dice !== "on") return;
  addStyles("falling.css");
  stopWarming();
  stopWarming = effect(warmUp);
  const lose = () => {
    warmed.clear();
    scene = felt.value = null;
  };
  scene.canvas.addEventListener("webglcontextlost", lose, { once: true });
  felt.value = Felt;
}

/** Prepare the dice of the pool that is shown, once the page has nothing else to do. */
function warmUp() {
  const pool = check.value?.phase === "build" ? check.value.pool : {};
  const names = Object.keys(pool).filter((name) => pool[name] > 0 && !warmed.has(name));
  if (!names.length) return;
  for (const name of names) warmed.add(name);
  const all = names.flatMap((name) => piecesOf([{ die: name, face: dieOf(name).first }], []) ?? []);
  (globalThis.requestIdleCallback ?? setTimeout)(() => scene?.warm(all));
}

/** Rolled dice as solids; those that cannot be shown so are flat. */
function Felt(props) {
  const pieces = scene && piecesOf(props.rolled, props.dice ?? []);
  const isFlat = !pieces || props.seq > tooSlow || (props.placed ?? []).some(Boolean);
  return isFlat
    ? html`<${Flat} ...${props} />`
    : html`<${Thrown} key=${props.seq} ...${props} pieces=${pieces} />`;
}

function Thrown(props) {
  const { pieces, rolled, seq, falling, settled } = props;
  const me = useRef(/** @type {any} */ ({ plan: null, isMounted: false }));
  const mine = me.current;
  const faces = pieces.map(({ rolled }) => rolled).join(" ");
  if (!mine.plan) mine.plan = planned(props);
  // A move may turn a die over: it stays where it is.
  else if (mine.faces !== faces) mine.plan = turnedTo(pieces, mine.plan);
  mine.faces = faces;
  const start = (cloth) => (mine.playing = play(cloth, mine.plan, seq));
  const [box, isDown] = useFall(seq, falling, settled, start);
  const isOn = !mine.isMounted || owner.value === mine;
  useLayoutEffect(() => {
    mine.isMounted = true;
    owner.value = mine;
    // The result of dice that are rolled again waits for them too.
    if (falling) settled?.(false);
    return () => mine.playing?.stop();
  }, []);
  useLayoutEffect(() => {
    if (!isOn) return;
    const draw = () => isDown && box.current && lie(box.current, mine.plan);
    draw();
    const resized = new ResizeObserver(draw);
    resized.observe(box.current);
    return () => resized.disconnect();
  }, [isDown, isOn, faces]);
  if (!isOn) return html`<${Flat} ...${props} falling=${false} />`;
  return html`
    <div class="fallen felt full" data-falling=${String(!isDown)}>
      <div class="felt-cloth" ref=${box}></div>
      <div class="visually-hidden">
        <${Flat} ...${props} falling=${false} />
      </div>
      <div class="felt-foot" aria-hidden="true">
        ${isByHand(rolled) && html`<${ByHand} rolled=${rolled} />`}
      </div>
    </div>
  `;
}

/** The throws of this page, by the table and the record of each; only the last ones. */
const plans = new Map();
const MOST_PLANS = 24;

/** The throw of a roll as its dice are now: those that it did not throw lie as they fell before. */
function planned({ pieces, dice = [], seq, rolled, again, last }) {
  const plan = stepsOf({ seq, rolled, again, last }).reduce(
    (before, step) => plannedStep(step, before, dice),
    /** @type {any} */ (null),
  );
  return turnedTo(pieces, plan);
}

/** The throw of one roll of an action, after the throw `before` it. */
function plannedStep(step, before, dice) {
  const { rolled, again, last } = step;
  const seed = `${here.peek()?.id}/${step.seq}`;
  const pieces = piecesOf(rolled, dice) ?? [];
  const key = [seed, ...pieces.map(({ sides }) => sides)].join(" ");
  const known = plans.get(key);
  if (known) return known;
  const earlier = step.before.map((_, nth) =>
    (before?.poses ?? []).filter((_, i) => before.pieces[i].nth === nth)
  );
  const kept = keptOf(pieces, step, before ? earlier : []);
  const decisive = again[last ?? again.length - 1];
  const thrownPieces = [...pieces.keys()].filter((i) => !kept[i]);
  const end =
    thrownPieces.findLast((i) => pieces[i].nth === last && again.length === rolled.length) ??
      thrownPieces.findLast((i) => isSame(rolled[pieces[i].nth], decisive)) ?? thrownPieces.at(-1);
  const motion = thrown(seedOf(seed), pieces.map(({ sides }) => sides), end, kept);
  const final = motion.poses.subarray((motion.length - 1) * pieces.length * POSE);
  const poses = pieces.map((_, i) => [...final.subarray(i * POSE, (i + 1) * POSE)]);
  const plan = { seed, motion, poses, pieces };
  plans.set(key, plan);
  if (plans.size > MOST_PLANS) plans.delete(plans.keys().next().value);
  return plan;
}

/** The same throw, so turned that it ends with what these pieces have rolled. */
function turnedTo(pieces, plan) {
  const { motion, poses } = plan;
  const turns = pieces.map((piece, i) => turnFor(piece, motion.down[i], poses[i]));
  return { ...plan, pieces, turns };
}

/**
 * The turn of a solid with which it shows what is rolled when it rests on face `down` in this pose:
 * of those that do, the one whose label is most nearly upright.
 */
function turnFor({ sides, printed, rolled }, down, pose) {
  const solid = solidOf(sides);
  let best = null, most = -Infinity;
  printed.forEach((label, face) => {
    if (label !== rolled) return;
    for (let by = 0; by < waysOf(solid); by += 1) {
      const turn = turnOf(solid, face, down, by);
      const up = upright(solid, shownOn(solid, face), turn, pose);
      if (up > most) [best, most] = [turn, up];
    }
  });
  return best ?? turnOf(solid, 0, down);
}

/** How far the label of a face points away from the reader, in this pose. */
function upright(solid, face, turn, [, , , x, y, z, w]) {
  const top = frameOf(solid, face)[1];
  const [a, b, c] = turn.map((row) => row[0] * top[0] + row[1] * top[1] + row[2] * top[2]);
  return 2 * (x * y + z * w) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - x * w) * c;
}

function take(box, { pieces, turns, motion }) {
  if (!scene) return;
  if (scene.canvas.parentElement !== box) box.replaceChildren(scene.canvas);
  scene.show(pieces, turns, motion);
}

/** Draw dice as they lie, and keep what the picture shows beside it. */
function lie(box, plan) {
  if (!scene) return;
  take(box, plan);
  scene.pose(plan.motion, Infinity, POSES);
  const faces = plan.pieces.map(({ printed, first }, i) =>
    first + printed[faceBelow(scene?.dice[i])]
  );
  Object.assign(scene.canvas.dataset, {
    throw: plan.seed,
    faces: faces.join(" "),
    pose: plan.poses.flat().map((n) => n.toFixed(4)).join(" "),
  });
}

/** Play a throw. It ends early when it is out of sight. */
function play(box, plan, seq) {
  const { motion } = plan;
  const length = (motion.length - 1) / POSES;
  let frame = 0, drawn = 0, began = 0, isSeen = true, land = () => {};
  const landing = new Promise((done) => (land = () => done(undefined)));
  const knocks = motion.knocks.filter(({ force }) => force > LOUD);
  take(box, plan);
  if (scene) Object.assign(scene.canvas.dataset, { throw: plan.seed, faces: "", pose: "" });
  const draw = (now) => {
    began ||= now;
    const moment = (now - began) / 1000;
    if (!scene || moment >= length || (!isSeen && moment > TO_SEE)) return land();
    drawn += 1;
    scene.pose(motion, moment, POSES);
    let hardest = 0;
    for (; knocks[0]?.time <= moment; knocks.shift()) {
      hardest = Math.max(hardest, knocks[0].force);
    }
    if (hardest) knock(hardest);
    frame = requestAnimationFrame(draw);
  };
  frame = requestAnimationFrame(draw);
  buzz(touches(motion.knocks));
  const sight = new IntersectionObserver(([one]) => (isSeen = one.isIntersecting));
  sight.observe(box);
  const stop = () => {
    cancelAnimationFrame(frame);
    sight.disconnect();
  };
  return {
    landing,
    latest: length * 1000 + LATE,
    stop,
    finish: () => {
      stop();
      if (scene) scene.canvas.dataset.frames = String(drawn);
      const time = (performance.now() - began) / 1000;
      slow = began && time >= length && drawn < length * SLOW ? slow + 1 : 0;
      if (slow >= MOST_SLOW) tooSlow = seq;
      // Fewer pixels may be enough for the next one.
      if (slow && scene) scene.sharpest = 1;
    },
  };
}

/** The hard hits of a throw as a device feels them: pauses by turns with short buzzes. */
function touches(knocks) {
  const pattern = [0];
  let now = 0;
  for (const { time, force } of knocks) {
    const pause = Math.round(time * 1000) - now;
    if (force < HARD || pause < 2 * TOUCH) continue;
    pattern.push(pause, TOUCH);
    now += pause + TOUCH;
  }
  return pattern;
}
