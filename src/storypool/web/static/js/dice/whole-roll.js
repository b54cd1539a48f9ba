/** A roll whole, in a sheet, and to share. */

import { html, useRef } from "../../vendor/preact.js";
import { notice, tried } from "../state/announcements.js";
import { lookOf, signsOf } from "../state/looks.js";
import { game, table, the } from "../state/store.js";
import { later } from "../state/wire.js";
import { say } from "../state/words.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Button, Glyph } from "../ui/parts.js";
import { copyFrom, handOn } from "../ui/sharing.js";
import { Fallen } from "./dice.js";
import { Headline } from "./result.js";
import { VerificationMark } from "./verification-mark.js";

const postcard = later((again) =>
  Promise.all([import(`./postcard.js${again}`), import(`./drawn-shapes.js${again}`)])
);

const ShareMoving = drawnLater(
  (again) => import(`../sessions/send-story.js${again}`).then((made) => made.ShareMoving),
  () => null,
);

/** A roll with everything that it showed. */
export function WholeRoll({ roll }) {
  const field = useRef(null);
  const signs = signsOf(roll.net);
  return html`
    <div class="stack whole-roll text-centre" data-passed=${String(roll.passed ?? "")}>
      <p class="label row">
        ${roll.who}
        <span class="push"></span>
        <${VerificationMark} seqs=${roll.seqs} />
      </p>
      <${Fallen} rolled=${roll.rolled} dice=${roll.dice} placed=${roll.placed} seq=${0}
        falling=${false} />
      ${signs.length > 0 &&
        html`
          <p class="whole-signs cluster centre">
            ${signs.map(([name, n]) =>
              html`
                <span class="tag inline" key=${name}>
                  ${lookOf(name).glyph && html`<${Glyph} name=${lookOf(name).glyph} size="16" />`}
                  ${String(n).replace("-", "−")}
                  ${" "}
                  ${n === 1 ? lookOf(name).word : lookOf(name).plural}
                </span>
              `
            )}
          </p>
        `}
      <p class="result"><${Headline} words=${roll.words} /></p>
      <textarea
        class="input"
        ref=${field}
        readonly
        rows="2"
        aria-label=${say("result.sentence")}
        value=${sentence(roll)}
      />
      <div class="form-foot wrap gap-2">
        <${Button} onTap=${() => share(roll, field.current)}>
          <${Glyph} name="link" />
          ${say("result.share")}
        <//>
        <${ShareMoving} roll=${roll} text=${sentence(roll)} />
      </div>
    </div>
  `;
}

const sentence = (roll) =>
  [[roll.who, roll.title].filter(Boolean).join(": "), roll.words].filter(Boolean).join(". ");

/**
 * Hand the roll on as a picture and a sentence: by what the device has for it, or copied and
 * downloaded.
 */
async function share(roll, field) {
  const text = sentence(roll);
  const made = await tried(postcard);
  if (!made) return;
  const [{ drawn }, { drawShapes }] = made;
  const canvas = drawn({ ...roll, table: the(table).title, game: the(game).name }, drawShapes);
  const picture = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const file = new File([picture], "roll.png", { type: "image/png" });
  if (await handOn(file, text)) return;
  const copied = await copyFrom(field);
  notice(say(copied ? "result.shared" : "result.saved"));
}
