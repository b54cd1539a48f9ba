/**
 * The whole recap of a session: its pools, what points bought, luck, what mattered most; to read,
 * to keep, to send. It is loaded when it is first opened.
 */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { isolated } from "../ui/bidi.js";
import { drawnLater } from "../ui/drawn-later.js";
import { Chart } from "./gauge.js";
import { showLine } from "../log/shown-line.js";
import { device } from "../ui/motion.js";
import { Because, Button, Glyph, IconButton } from "../ui/parts.js";
import { copyFrom, handOn } from "../ui/sharing.js";
import { notice, tried } from "../state/announcements.js";
import { ours, table, the } from "../state/store.js";
import { call } from "../state/wire.js";
import { say } from "../state/words.js";

const FIRST_ROWS = 8;
const Stories = drawnLater(
  (again) => import(`./send-story.js${again}`).then((made) => made.Stories),
);

/** The address of the recap as a picture, in the colours of the page. */
const drawn = (name) =>
  `${ours(name)}&theme=${
    device.value.theme || (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark")
  }`;

/** The whole recap. */
export function Session() {
  const [recap, setRecap] = useState(/** @type {Wire.SessionView | null} */ (null));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    call("GET", ours("recap", "whole"), undefined, { signal: stop.signal }).then(
      setRecap,
      (error) => error.refusal && setError(error.refusal),
    );
    return () => stop.abort();
  }, []);
  if (error) return html`<${Because} refusal=${error} />`;
  if (!recap) return html`<p class="quiet" role="status">${say("session.coming")}</p>`;
  return html`
    <div class="session stack">
      <ul class="stack gap-1">
        ${recap.lines.map((line) => html`<li key=${line.kind}>${isolated(line.text)}</li>`)}
      </ul>
      <${Pools} whole=${recap} />
      <${Part}
        title=${say("session.hinges")}
        about=${recap.about.hinges}
        shown=${recap.hinges.length > 0}
      >
        ${html`
          <ul class="session-rows">
            ${recap.hinges.map((one) =>
              html`
                <li class="row target ruled" key=${one.seq}>
                  <span class="grow">${isolated(one.text)}</span>
                  <${Line} seq=${one.seq} />
                </li>
              `
            )}
          </ul>
        `}
      <//>
      <${Part}
        title=${say("session.spends")}
        lines=${recap.bought}
        about=${recap.about.spends}
        shown=${recap.spends.length + recap.about.spends.length > 0}
      >
        ${html`<${Spends} spends=${recap.spends} />`}
      <//>
      <${Part}
        title=${say("session.luck")}
        about=${recap.about.luck}
        shown=${recap.luck.length > 0}
      >
        ${html`<${Luck} luck=${recap.luck} />`}
      <//>
      <${Part}
        title=${say("session.locks")}
        lines=${recap.locks.map((one) => one.text)}
        shown=${recap.locks.length > 0}
      />
      <${Keep} />
      <${Stories} />
    </div>
  `;
}

/**
 * A part of the recap: sentences, what it shows, and what explains it below; nothing if it has
 * nothing to show.
 */
function Part({ title, lines = [], about = [], shown, children }) {
  if (!shown) return null;
  return html`
    <section class="stack gap-1">
      <h3 class="label">${title}</h3>
      ${lines.map((text) => html`<p key=${text}>${isolated(text)}</p>`)}
      ${children}
      ${about.map((text) => html`<p class="fine quiet" key=${text}>${isolated(text)}</p>`)}
    </section>
  `;
}

/** The pools that moved, as the gauge draws them. */
function Pools({ whole }) {
  const moved = whole.pools.filter(({ steps }) => steps.some(([, n]) => n > 0));
  if (!moved.length) return null;
  const changes = moved.flatMap(({ account, steps }) =>
    steps.slice(1).map(([seq, balance], i) => ({
      account,
      seq,
      balance,
      delta: balance - steps[i][1],
    }))
  );
  const economy = {
    accounts: moved.map(({ account, steps }) => ({
      account,
      balance: steps.at(-1)[1],
      most: null,
    })),
    changes: changes.sort((one, other) => one.seq - other.seq),
    scenes: [],
  };
  const panel = { binds: { accounts: moved.map(({ account }) => account) } };
  return html`
    <div class="gauge full">
      <${Chart} panel=${panel} economy=${economy} />
    </div>
  `;
}

function Spends({ spends }) {
  const [showsAll, setShowsAll] = useState(false);
  return html`
    <ul class="session-rows">
      ${(showsAll ? spends : spends.slice(0, FIRST_ROWS)).map((one) =>
        html`
          <li class="row target ruled" key=${one.seq}>
            <span class="grow">
              ${isolated([one.who, one.move].join(": "))}
              <span class="fine quiet block">
                ${isolated([one.price, one.action].filter(Boolean).join(" · "))}
              </span>
            </span>
            <strong class="count">${one.change}</strong>
            <${Line} seq=${one.seq} />
          </li>
        `
      )}
    </ul>
    ${spends.length > FIRST_ROWS && !showsAll &&
      html`
        <button type="button" class="button" data-kind="plain" onClick=${() => setShowsAll(true)}>
          ${say("menu.all", { n: spends.length })}
        </button>
      `}
  `;
}

/** Each mean between 0 and 100, with the band in which fair dice usually stay. */
function Luck({ luck }) {
  return html`
    <table class="session-luck numeric full">
      <thead class="fine">
        <tr>
          <th scope="col">${say("session.who")}</th>
          <th scope="col">${say("session.rolls")}</th>
          <th scope="col"><span class="visually-hidden">${say("session.usual")}</span></th>
          <th scope="col">${say("session.luck")}</th>
        </tr>
      </thead>
      <tbody>
        ${luck.map((one) =>
          html`
            <tr key=${`${one.who} ${one.side}`} data-together=${String(one.together)}>
              <th scope="row">${isolated(one.who)}</th>
              <td class="count">${one.rolls}</td>
              <td>
                <svg
                  class="session-meter full"
                  viewBox="-4 0 108 12"
                  role="img"
                  aria-label=${say("session.between", one)}
                >
                  <path class="gauge-line" d="M0 6H100M50 2V10" />
                  <rect
                    class="session-band"
                    x=${one.low}
                    y="3"
                    width=${one.high - one.low}
                    height="6"
                    rx="2"
                  />
                  <circle class="session-place" cx=${one.place} cy="6" r="4" />
                </svg>
              </td>
              <td class="count"><strong>${one.place}</strong></td>
            </tr>
          `
        )}
      </tbody>
    </table>
  `;
}

function Line({ seq }) {
  return html`
    <${IconButton} glyph="chevron" label=${say("recap.line")} onTap=${() => showLine(seq)} />
  `;
}

/** The recap as text and as a picture: to copy, to keep, to send. */
function Keep() {
  const field = useRef(null);
  const [text, setText] = useState("");
  const copy = async () => {
    const written = await tried(() => call("GET", ours("recap.md")));
    if (!written) return;
    // What is hidden cannot be selected.
    Object.assign(field.current, { value: written, hidden: false });
    setText(written);
    notice(say((await copyFrom(field.current)) ? "session.copied" : "session.copyYourself"));
  };
  return html`
    <section class="stack gap-1">
      <h3 class="label">${say("session.keep")}</h3>
      <div class="cluster">
        <${Button} onTap=${send}><${Glyph} name="link" />${say("session.send")}<//>
        <${Button} onTap=${copy}>${say("session.copy")}<//>
        <a class="button" download href=${ours("recap.md")}>${say("session.markdown")}</a>
        <a class="button" download href=${drawn("recap.svg")}>${say("session.svg")}</a>
      </div>
      <textarea
        class="input"
        ref=${field}
        readonly
        rows="6"
        aria-label=${say("session.text")}
        hidden=${!text}
        value=${text}
      />
    </section>
  `;
}

/** Hand the picture on by what the device has for it, or save it. */
async function send() {
  const picture = await tried(() => call("GET", drawn("recap.png")));
  if (!picture) return;
  const file = new File([picture], "session.png", { type: "image/png" });
  if (!(await handOn(file, the(table).title))) notice(say("result.saved"));
}
