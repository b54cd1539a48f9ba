/**
 * Private notes and handouts: those that this reader has, and the one that is held up to them now.
 * Few tables have any, so it is loaded when it is first drawn, with its words and styles.
 */

import {
  computed,
  html,
  signal,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "../../vendor/preact.js";
import { lineTools } from "../log/shown-line.js";
import { openMove } from "../forms/move-form.js";
import { addressOf } from "../state/faces.js";
import { hasWords, searchWords } from "../state/folding.js";
import { keep, kept } from "../state/browser-storage.js";
import { older } from "../state/earlier-records.js";
import { eventOf } from "../state/record-events.js";
import { byKey, firstSeq, here, make, me, records, seatName, table, the } from "../state/store.js";
import { troubleIn } from "../state/wire.js";
import { listed, say } from "../state/words.js";
import { isolated } from "../ui/bidi.js";
import { calm, ms, onAnyInput } from "../ui/motion.js";
import { Alert, Button, Fold, Glyph, IconButton, useOnce } from "../ui/parts.js";
import { confirmed, openSheet } from "../ui/sheet.js";
import { EncountersButton } from "./encounters.js";
import { useLateWords } from "./late-words.js";
import { PortraitEditor, smaller, stored } from "./portrait.js";

/** So many papers can be searched. */
const MANY = 5;
/** A record that came later than this, in milliseconds, is no news. */
const FRESH = 60_000;

const papers = computed(() => Object.values(table.value?.papers ?? {}).reverse());

/** The editor of a portrait comes with the papers: they share their words and styles. */
export const Portraits = PortraitEditor;
/** So do the encounters of a game master. */
export const Encounters = EncountersButton;

/** Whether this reader wrote a paper; game masters share theirs. */
const isOwn = ({ by }) => by === me.value?.id || the(table).seats[by]?.side === "gm" && isGmSeat();
const isGmSeat = () => me.value?.side === "gm";

/** What a paper is called: its title, or how its text begins. */
const nameOf = (paper) => paper.title || paper.text.split("\n", 1)[0] || say("papers.picture");

const open = (key) => {
  const offer = byKey.value[key];
  return offer && !offer.closed ? offer : null;
};

/** The papers that this device has shown, by table and seat. */
const read = signal(kept("papers", {}));
const whose = () => `${the(here).id}/${the(here).seat}`;

/** The papers of others that this device has not shown yet. */
const unread = computed(() =>
  papers.value.filter((one) => !isOwn(one) && !read.value[whose()]?.includes(one.id))
);

/** Remember a paper as read; those that are gone are forgotten. */
function markRead(id) {
  const there = papers.peek().map((one) => one.id);
  const ids = new Set([...read.peek()[whose()] ?? [], id]);
  read.value = { ...read.peek(), [whose()]: there.filter((one) => ids.has(one)) };
  keep("papers", read.value);
}

/** The button on a line of the log: it shows the paper while this reader may see it. */
function LogButton({ seq }) {
  const known = useLateWords();
  const record = [...older.value.records, ...records.value].find((one) => one.seq === seq);
  const shown = eventOf(record, "paper.set"), one = shown && table.value?.papers[shown.paper.id];
  return known && one && html`
    <span class="log-tools push">
      <${IconButton}
        glyph="chevron"
        label=${`${say("papers.look")}: ${nameOf(one)}`}
        onTap=${() => holdUp(one)}
      />
    </span>
  `;
}
lineTools.value = { "paper.set": ({ seq }) => html`<${LogButton} seq=${seq} />` };

/**
 * The papers of this reader, the newest first, with a search where there are many: all of them,
 * those about a character, or those of the running scene.
 */
export function Papers({ about = "", scene = 0 }) {
  const [typed, setTyped] = useState("");
  if (!useLateWords()) return null;
  const own = papers.value.filter((one) =>
    (!about || one.about === about) && (!scene || (one.scene === scene && !one.about))
  );
  const words = searchWords(typed);
  const found = own.filter((one) =>
    hasWords([one.title, one.text, aboutOf(one), seatName(one.by)].join(" "), words)
  );
  const offer = open("paper.write");
  return html`
    <section class="papers stack gap-2" aria-label=${say("papers.title")}>
      <h3 class="label">${say("papers.title")}</h3>
      ${own.length > MANY && html`
        <input
          class="input"
          type="search"
          aria-label=${say("papers.search")}
          placeholder=${say("papers.search")}
          value=${typed}
          onInput=${(event) => setTyped(event.target.value)}
        />
      `}
      ${found.map((one) => html`<${Paper} key=${one.id} one=${one} />`)}
      ${words.length > 0 && !found.length && html`<p class="quiet">${say("papers.none")}</p>`}
      ${offer && html`
        <div>
          <${Button}
            kind="plain"
            data-move=${offer.key}
            onTap=${() => openMove(offer, about ? { given: { about } } : {})}
          >
            <${Glyph} name="pencil" />
            ${offer.title}
          <//>
          <${PictureButton} offer=${offer} about=${about} />
        </div>
      `}
    </section>
  `;
}

/** Takes a picture of the camera or a file, made small here, and opens the form of its handout. */
function PictureButton({ offer, about }) {
  const [error, setError] = useState(/** @type {Partial<Wire.RefusalShown> | null} */ (null));
  const [, load] = useOnce(async (/** @type {any} */ event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const picture = await stored(await smaller(file), "handout");
      openMove(offer, { given: { picture, ...(about && { about }) } });
      setError(null);
    } catch (trouble) {
      setError(isTrouble(trouble) ? troubleIn(trouble).refusal : { text: say("papers.noPicture") });
    }
  });
  return html`
    <label class="button file-button" data-kind="plain">
      <${Glyph} name="plus" />
      ${say("papers.handPicture")}
      <input
        class="visually-hidden"
        type="file"
        accept="image/jpeg,image/png,image/webp"
        onChange=${load}
      />
    </label>
    ${error && html`<${Alert} refusal=${error} />`}
  `;
}

const isTrouble = (error) => Boolean(error.refusal);

const aboutOf = ({ about }) => the(table).characters[about]?.name ?? "";

/** A paper, folded: its text, whom it is about, and who sees it. */
function Paper({ one }) {
  const notes = [aboutOf(one), !isOwn(one) && say("papers.from", { who: seatName(one.by) })];
  const name = nameOf(one), isNew = unread.value.includes(one);
  return html`
    <${Fold} title=${isNew ? say("papers.new", { name }) : name} level=${4}>
      ${html`
        <div class="paper stack gap-2" data-paper=${one.id}>
          <${Body} one=${one} />
          <p class="fine quiet">
            ${[...notes, readersOf(one)].filter(Boolean).map(isolated).join(" · ")}
          </p>
          <${Tools} one=${one} />
        </div>
      `}
    <//>
  `;
}

/** What is on a paper, which is read once it is drawn. */
function Body({ one }) {
  useEffect(() => markRead(one.id), [one.id]);
  return html`
    ${one.picture && html`
      <img class="paper-picture" src=${addressOf(one.picture)} alt=${nameOf(one)} />
    `}
    ${one.text && html`<p class="paper-text">${isolated(one.text)}</p>`}
  `;
}

/** Who sees a paper, in words. */
function readersOf({ seen_by: readers, by }) {
  if (!readers) return say("papers.all");
  const others = readers.filter((id) => id !== by && id !== "@gm").map(seatName);
  if (readers.includes("@gm") && the(table).seats[by]?.side !== "gm") others.push(say("papers.gm"));
  return others.length ? say("papers.for", { who: listed(others) }) : say("papers.own");
}

/** What can be done with a paper: anybody looks at it, who wrote it changes and shows it. */
function Tools({ one }) {
  const given = { id: one.id }, name = nameOf(one);
  const change = (key, text) => {
    const offer = open(key);
    return offer && html`
      <${Button} kind="plain" data-move=${key} onTap=${() => openMove(offer, { given })}>
        ${text}
      <//>
    `;
  };
  const hide = one.seen_by?.length !== 1 && open("paper.hide"), remove = open("paper.remove");
  const removed = async ({ key, title }) =>
    (await confirmed(name, say("papers.sure"), title)) && make(key, given, { title });
  return html`
    <div class="cluster gap-1">
      <${Button} kind="plain" onTap=${() => holdUp(one)}>${say("papers.look")}<//>
      ${isOwn(one) && html`
        ${change("paper.show", say("papers.show"))} ${change("paper.edit", say("papers.edit"))}
        ${hide && html`
          <${Button}
            kind="plain"
            data-move=${hide.key}
            onTap=${() => make(hide.key, given, { title: hide.title })}
          >
            ${say("papers.hide")}
          <//>
        `}
        ${remove && html`
          <${IconButton}
            glyph="cross"
            label=${`${remove.title}: ${name}`}
            data-move=${remove.key}
            onTap=${() => removed(remove)}
          />
        `}
      `}
    </div>
  `;
}

/** Show a paper on the whole screen until it is put away. */
function holdUp(paper) {
  openSheet(
    nameOf(paper),
    (close) => html`<${Held} paper=${paper} close=${close} />`,
    { kind: "held-paper" },
  );
}

function Held({ paper, close }) {
  const one = table.value?.papers[paper.id] ?? paper;
  return html`
    <div class="held-body stack gap-4">
      <${Body} one=${one} />
      <p class="quiet">
        ${say("papers.from", { who: seatName(one.by) })}${aboutOf(one) && ` · ${aboutOf(one)}`}
      </p>
      <button type="button" class="button" data-kind="primary" onClick=${close}>
        ${say("papers.away")}
      </button>
    </div>
  `;
}

/** The title of a scene that just started, or "". */
const card = signal("");

/**
 * Holds up what is shown to this reader now, marks the tab of the characters while papers are
 * unread, and shows the title of a scene that begins.
 */
export function HeldUp() {
  const known = useLateWords();
  const heard = useRef(firstSeq.value);
  useEffect(() => {
    if (!known) return;
    const since = Math.max(heard.current, firstSeq.value);
    heard.current = Math.max(since, records.value.at(-1)?.seq ?? 0);
    for (const { seq, at, event } of records.value) {
      if (seq <= since || Math.abs(Date.now() - at) > FRESH) continue;
      const shown = event?.type === "paper.set" && event.held_up && event.paper;
      if (shown && !isOwn(shown) && table.value?.papers[shown.id]) holdUp(shown);
      if (event?.type === "period.began" && event.kind === "scene") card.value = event.title;
    }
  }, [records.value, known]);
  const n = unread.value.length;
  useEffect(() => {
    const { dataset, style } = document.documentElement;
    if (n) dataset.unread = String(n);
    else delete dataset.unread;
    style.setProperty("--unread", String(n));
  }, [n]);
  useEffect(() => () => void delete document.documentElement.dataset.unread, []);
  useEffect(() => {
    if (!card.value) return undefined;
    const end = () => {
      card.value = "";
    };
    const timer = setTimeout(end, 2 * ms("--moment"));
    const forget = onAnyInput(end);
    return () => {
      clearTimeout(timer);
      forget();
    };
  }, [card.value]);
  return html`
    <p class="visually-hidden" role="status" data-scene="announced">${card.value}</p>
    <p class="visually-hidden" role="status" data-papers="unread">
      ${known && n > 0 && say("papers.unread", { n })}
    </p>
    ${card.value && !calm() && html`<${Card} title=${card.value} />`}
  `;
}

/** The title of a scene over the table, for a moment; it takes no taps. */
function Card({ title }) {
  const place = useRef(null);
  useLayoutEffect(() => place.current.showPopover?.(), []);
  return html`
    <div class="scene-card stack centre" ref=${place} popover="manual" aria-hidden="true">
      <p class="scene-title text-centre">${isolated(title)}</p>
    </div>
  `;
}
