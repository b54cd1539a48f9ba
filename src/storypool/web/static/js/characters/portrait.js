/**
 * The editor of a portrait: a drawing, or a picture of the camera or a file, cropped to a circle
 * and made small here; only what is in the circle's square leaves this device.
 */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { addressOf } from "../state/faces.js";
import { byKey, here, make, preview, refused, table, the } from "../state/store.js";
import { at, call, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";
import { Alert, Button, Fold, useOnce } from "../ui/parts.js";
import { useLateWords } from "./late-words.js";

/** The pixels of an edge of what is sent. */
const EDGE = 256;
/** The pixels of the longer edge of a handout, and the most letters of what is sent of it. */
const LARGE = 1600, MOST = 480 * 1024;
/** How far a key moves the picture, and the largest zoom. */
const STEP = 0.05, NEAR = 4;
const KEYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const isDrawn = ({ name }) => name === "drawn";

/** Store a picture, as base64 without its head; returns its key. */
export async function stored(data, use) {
  const { id, seat } = the(here);
  const body = { seat, use, picture: data.slice(data.indexOf(",") + 1) };
  return (await call("POST", at(id, "pictures"), body)).picture;
}

/** A picture in a file as a JPEG in base64 that is small enough to be sent. */
export async function smaller(file) {
  const bitmap = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  for (let edge = LARGE;; edge /= 1.4) {
    const scale = Math.min(1, edge / Math.max(bitmap.width, bitmap.height));
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const data = canvas.toDataURL("image/jpeg", 0.85);
    if (data.length < MOST || edge < EDGE) return data;
  }
}

/** The portrait of a character with what may change it, folded. */
export function PortraitEditor({ one }) {
  const known = useLateWords();
  const offer = byKey.value["character.portrait"];
  if (!known || !offer || offer.closed) return null;
  return html`
    <${Fold} title=${offer.title} level=${3}>${html`<${Choices} one=${one} offer=${offer} />`}<//>
  `;
}

function Choices({ one, offer }) {
  const [bitmap, setBitmap] = useState(/** @type {ImageBitmap | null} */ (null));
  const [error, setError] = useState(/** @type {Partial<Wire.RefusalShown> | null} */ (null));
  const [drawings, setDrawings] = useState(/** @type {Wire.Choice[]} */ ([]));
  useEffect(() => {
    // The button of a move comes without its questions.
    const take = (found) => setDrawings(found.offer.asks.find(isDrawn)?.choices ?? []);
    preview(offer.key, { who: one.id }, false).then(take, () => {});
  }, []);
  const now = the(table).characters[one.id]?.picture;
  const set = async (args) => {
    setError(null);
    const made = await make(offer.key, { who: one.id, ...args }, { title: offer.title });
    if (!made) setError(refused.value?.refusal ?? null);
    else setBitmap(null);
  };
  const clear = () => set({});
  const load = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      setBitmap(await createImageBitmap(file));
      setError(null);
    } catch {
      setError({ text: say("papers.noPicture"), remedy: "" });
    }
  };
  return html`
    <div class="portrait stack gap-2">
      <${Alert} refusal=${error} />
      <div class="cluster gap-1" role="group" aria-label=${say("papers.drawings")}>
        ${drawings.map(({ value, label }) =>
          html`
            <${Button}
              key=${value}
              kind="icon"
              aria-pressed=${String(now === value)}
              aria-label=${label}
              onTap=${() => set({ drawn: value })}
            >
              <img class="drawn" src=${addressOf(value)} alt="" width="40" height="40" />
              <//>
          `
        )}
      </div>
      <label class="button file-button">
        ${say("papers.choose")}
        <input
          class="visually-hidden"
          type="file"
          accept="image/jpeg,image/png,image/webp"
          onChange=${load}
        />
      </label>
      ${bitmap && html`<${Crop} bitmap=${bitmap} set=${set} setError=${setError} />`}
      ${now && html`
        <${Button} kind="plain" onTap=${clear}>${say("papers.noPortrait")}<//>
      `}
    </div>
  `;
}

/** A picture under a circle, which fingers, the keyboard and the slider move. */
function Crop({ bitmap, set, setError }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const [view, setView] = useState({ x: 0.5, y: 0.5, zoom: 1 });
  const edge = Math.min(bitmap.width, bitmap.height) / view.zoom;
  useEffect(() => {
    const left = (bitmap.width - edge) * view.x, top = (bitmap.height - edge) * view.y;
    canvas.current?.getContext("2d")?.drawImage(bitmap, left, top, edge, edge, 0, 0, EDGE, EDGE);
  }, [bitmap, view]);
  const within = (n) => Math.min(1, Math.max(0, n));
  const move = (x, y) => setView((old) => ({ ...old, x: within(old.x + x), y: within(old.y + y) }));
  const dragged = ({ buttons, movementX, movementY }) => {
    const shown = (canvas.current?.clientWidth ?? EDGE) *
      (Math.max(bitmap.width, bitmap.height) / edge);
    if (buttons) move(-2 * movementX / shown, -2 * movementY / shown);
  };
  const pressed = (event) => {
    const way = KEYS[event.key];
    if (!way) return;
    event.preventDefault();
    move(way[0] * STEP, way[1] * STEP);
  };
  const [sending, send] = useOnce(async () => {
    try {
      const data = canvas.current?.toDataURL("image/jpeg", 0.9) ?? "";
      await set({ picture: await stored(data, "portrait") });
    } catch (error) {
      setError(troubleIn(error).refusal);
    }
  });
  return html`
    <canvas
      class="crop"
      ref=${canvas}
      width=${EDGE}
      height=${EDGE}
      tabindex="0"
      role="img"
      aria-label=${say("papers.crop")}
      onPointerDown=${(event) => event.target.setPointerCapture(event.pointerId)}
      onPointerMove=${dragged}
      onKeyDown=${pressed}
    ></canvas>
    <label class="stack gap-1">
      <span class="label">${say("papers.zoom")}</span>
      <input
        class="target"
        type="range"
        min="1"
        max=${NEAR}
        step="0.05"
        value=${view.zoom}
        onInput=${(event) => setView({ ...view, zoom: Number(event.target.value) })}
      />
    </label>
    <div>
      <${Button} kind="primary" busy=${sending} onTap=${send}>${say("papers.use")}<//>
    </div>
  `;
}
