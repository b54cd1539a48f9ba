/**
 * Characters from files of other programs: chosen, dropped or pasted, shown, and then added by
 * moves. It is loaded with the conversation in which a character is made, its words and styles.
 */

import { html, useRef, useState } from "../../vendor/preact.js";
import { here, isGm, the } from "../state/store.js";
import { at, call, Trouble, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";
import { isolated } from "../ui/bidi.js";
import { excess, NameField } from "../ui/name-field.js";
import { Alert, Button, Fold, IconButton, useOnce } from "../ui/parts.js";
import { openSheet } from "../ui/sheet.js";
import { addWhole } from "./added-character.js";

/** So many bytes are no character, not even with a portrait. */
const MOST_BYTES = 4_000_000;
/** So many letters in a row that a picture in base64 may have are one. */
const PICTURE = 20_000;

/** @typedef {{ key: number, id: string, token: string, left: Wire.TextMove[] }} Progress */
/** @typedef {Wire.BroughtShown & Progress} Brought */

/**
 * The button that opens it; `close` closes what it is in, `whose` are answers of the move, and
 * `textOf` reads a file.
 */
export function FromFile({ close, whose, textOf }) {
  const open = () => {
    close();
    const title = say("making.file.title");
    openSheet(title, (done) => html`<${Files} whose=${whose} textOf=${textOf} done=${done} />`);
  };
  return html`
    <${Button} onTap=${open} data-making="file">
      ${html`
        <span class="two-lines">
          <span class="name">${say("making.file.begin")}</span>
          <span class="fine quiet">${say("making.file.about")}</span>
        </span>
      `}
    <//>
  `;
}

/** The text of a file without pictures: long runs of the letters that base64 has. */
const withoutPictures = (text) =>
  text.replace(/[A-Za-z0-9+/=\s]+/g, (run) => run.length > PICTURE ? "" : run);

/** @returns {Promise<Wire.BroughtShown[]>} */
async function charactersIn(text) {
  const { id, seat } = the(here);
  const body = { seat, text: withoutPictures(text) };
  return (await call("POST", at(id, "brought"), body)).characters;
}

/** Choosing, dropping and pasting; the characters that were read, and the button that adds them. */
function Files({ whose, textOf, done }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState(/** @type {Brought[]} */ ([]));
  const [refusal, setRefusal] = useState(/** @type {Wire.Reason | null} */ (null));
  const next = useRef(0);
  const take = (/** @type {Wire.BroughtShown[]} */ more) => {
    const brought = more.map((one) => ({
      ...one,
      key: next.current++,
      id: "",
      token: "",
      left: [],
    }));
    setFound((before) => [...before, ...brought]);
  };
  const change = (key, more) =>
    setFound((all) => all.map((one) => one.key === key ? Object.assign(one, more) : one));
  const without = (key) => setFound((all) => all.filter((one) => one.key !== key));
  const [reading, read] = useOnce(async () => {
    setRefusal(null);
    try {
      take(await charactersIn(text));
      setText("");
    } catch (trouble) {
      setRefusal(troubleIn(trouble).refusal);
    }
  });
  async function readFiles(/** @type {File[]} */ files) {
    setRefusal(null);
    for (const file of files) {
      try {
        if (file.size > MOST_BYTES) throw tooLarge(file.name);
        take(await charactersIn(await textOf(file)));
      } catch (trouble) {
        const why = troubleIn(trouble).refusal;
        const named = say("making.file.in", { name: file.name, text: why.text });
        setRefusal({ ...why, text: files.length > 1 ? named : why.text });
        return;
      }
    }
  }
  const [adding, add] = useOnce(async () => {
    setRefusal(null);
    const several = found.length > 1;
    for (const one of found) {
      if (!one.name.trim() || excess(one.name)) {
        return setRefusal({ text: say("making.file.noName"), remedy: "", rule: "" });
      }
      const args = { name: one.name.trim(), sheet: one.sheet, ...answers(whose, several) };
      const why = await addWhole(one, args, one.written, (more) => change(one.key, more));
      if (why) return setRefusal(why);
      without(one.key);
    }
    done();
  });
  return html`
    <div class="form stack gap-5 brought">
      <${Sources} text=${text} set=${setText} read=${read} reading=${reading} take=${readFiles} />
      <div aria-live="polite" class="stack gap-5">
        <${Alert} refusal=${refusal} />
        ${found.map((one) =>
          html`
            <${Shown}
              key=${one.key}
              one=${one}
              rename=${(name) => change(one.key, { name })}
              without=${() => without(one.key)}
            />
          `
        )}
      </div>
      ${found.length > 1 && isGm.value && html`<p>${say("making.file.hidden")}</p>`}
      ${!found.length && html`<${Saved} />`}
      <div class="form-foot wrap gap-2">
        <${Button} onTap=${done}>${say("cancel")}<//>
        ${found.length > 0 && html`
          <${Button} kind="primary" busy=${adding} onTap=${add}>
            ${say("making.file.add", { n: found.length })}
          <//>
        `}
      </div>
    </div>
  `;
}

/** Several characters of a game master are hidden NPCs. */
const answers = (whose, several) => isGm.value && several ? { seat: "", secret: true } : whose;

const tooLarge = (name) =>
  new Trouble(413, { code: "limit", text: say("making.file.large", { name }) });

/** Where a file comes from: dropped, chosen, or pasted as text. */
function Sources({ text, set, read, reading, take }) {
  const [over, setOver] = useState(false);
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length) take(files);
    else set(event.dataTransfer.getData("text/plain"));
  };
  const drag = (event) => {
    event.preventDefault();
    setOver(true);
  };
  const choose = (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    take(files);
  };
  return html`
    <div
      class="drop stack gap-2"
      data-over=${over ? "" : undefined}
      onDragOver=${drag}
      onDragLeave=${() => setOver(false)}
      onDrop=${drop}
    >
      <p>${say("making.file.drop")}</p>
      <label class="button file">
        <input
          type="file"
          class="visually-hidden"
          multiple
          accept=".xml,.json,.csv,.tsv,.txt,.db"
          onChange=${choose}
        />
        ${say("making.file.choose")}
      </label>
      <label class="stack gap-1">
        <span class="label">${say("making.file.paste")}</span>
        <textarea
          class="textarea notation"
          rows="3"
          value=${text}
          onInput=${(event) => set(event.target.value)}
        ></textarea>
      </label>
      ${text.trim() && html`
        <div>
          <${Button} busy=${reading} onTap=${read}>${say("making.file.read")}<//></div>
      `}
    </div>
  `;
}

/** The way back: the characters of this table as files, and a spreadsheet to fill in. */
function Saved() {
  const { id, seat } = the(here);
  const query = new URLSearchParams({ seat });
  const sheet = at(id, "characters.csv");
  return html`
    <${Fold} title=${say("making.file.save")} level=${3}>
      ${html`
        <div class="cluster">
          <a class="button" href=${`${at(id, "characters.json")}?${query}`} download>
            ${say("making.file.own")}
          </a>
          <a class="button" href=${`${sheet}?${query}`} download>${say("making.file.sheet")}</a>
          <a class="button" href=${`${sheet}?${query}&template=true`} download>
            ${say("making.file.template")}
          </a>
        </div>
      `}
    <//>
  `;
}

/** A character that was read: what was understood, what not and why, and its note. */
function Shown({ one, rename, without }) {
  const name = one.name.trim() || say("making.file.nameless");
  return html`
    <article class="card stack gap-2" aria-label=${name}>
      <div class="row gap-2">
        <h3 class="name grow">${isolated(name)}</h3>
        ${!one.id &&
          html`
            <${IconButton}
              glyph="cross"
              label=${say("making.file.without", { name })}
              onTap=${without}
            />
          `}
      </div>
      ${one.id
        ? html`<p role="status">${say("making.file.partly", { name })}</p>`
        : html`<${NameField} label=${say("making.name")} value=${one.name} set=${rename} />`}
      <ul class="understood">
        ${one.understood.map((each) =>
          html`<li key=${each.label + each.value} data-how=${each.how}>${
            isolated(inWords(each))
          }</li>`
        )}
      </ul>
      ${one.left_out.length > 0 && html`
        <h4 class="label">${say("making.file.left")}</h4>
        <ul class="stack gap-1 small">
          ${one.left_out.map((left) =>
            html`<li key=${left.what}><b>${isolated(left.what)}</b>: ${left.why}</li>`
          )}
        </ul>
      `}
      ${one.note && html`
        <${Fold} title=${say("making.file.note")} level=${4}>
          ${html`<p class="small brought-note">${isolated(one.note)}</p>`}
        <//>
      `}
    </article>
  `;
}

/** A part of a file in words; one that was read as a similar name says so. */
function inWords({ name, value, label, how }) {
  if (how === "near") return say("making.file.near", { name, value, label });
  if (how === "highest") return say("making.file.highest", { value, label });
  return how === "text" ? `${value}` : `${label} ${value}`;
}
