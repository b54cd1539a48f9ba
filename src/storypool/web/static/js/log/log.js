/** The log as sentences, scene by scene, and a field to say something for the record. */

import {
  computed,
  html,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "../../vendor/preact.js";
import { isolated } from "../ui/bidi.js";
import { Clamped } from "../ui/clamped.js";
import { fetchEarlier, first, older } from "../state/earlier-records.js";
import { Glyph, useOnce } from "../ui/parts.js";
import { clearFilter, filtered, isFiltered, LogFilter } from "./log-filter.js";
import { withJoinedProposals, withoutPreparation } from "./joined-lines.js";
import { VerificationMark } from "../dice/verification-mark.js";
import { RollButton } from "../dice/result.js";
import { isAskedFor } from "../state/game.js";
import { byKey, here, make, records, table, the } from "../state/store.js";
import { lineTools, shownLine } from "./shown-line.js";
import { undone } from "../state/undone-records.js";
import { say } from "../state/words.js";

const FIRST = 120;
/** So near to the top of the list, in pixels, earlier lines come by themselves. */
const NEAR = 120;
// Made once, because making a formatter is the slowest part of a line of the log.
const clocks = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });

/** The lines of the log: sentences and headlines. Nothing shows of a hidden record. */
const entries = computed(() => {
  const taken = undone.value;
  const found = older.value.records.filter(({ seq }) => seq < first.value);
  const lines = [];
  let move = 0;
  for (const record of [...found, ...records.value]) {
    const { seq, event, text } = record;
    if (!event || event.type === "move.made") move = seq;
    if (!event || !text) continue;
    const isUndone = taken.has(seq) && !STAYS.has(event.type);
    lines.push({ record, event, text, undone: isUndone, secret: Boolean(record.seen_by), move });
  }
  let last = "";
  return withoutPreparation(withJoinedProposals(lines)).map(({ record, event, ...line }) => {
    const { seq, at, seat } = record;
    const clock = clocks.format(at);
    const kind = event.type === "period.began" && event.kind !== "round" ? "headline" : event.type;
    const entry = { ...line, seq, at, seat, kind, clock: clock === last ? "" : clock };
    last = clock;
    return entry;
  });
});

/**
 * Where the log was when another view took its place: the line at its top, how far from there, or
 * its end.
 */
const lastView = { table: "", atEnd: true, top: 0, shown: FIRST };

/**
 * The log, with the newest at its end; it follows the end unless the reader has scrolled up.
 * `beside` stands beside the search.
 */
export function Log({ beside }) {
  const all = filtered(entries.value);
  const { list, lines, more, below, toEnd, showMore, scrolled } = useScrolledLog(all);
  return html`
    <div class="log stack gap-2">
      ${(entries.value.length > 0 || isFiltered.value) &&
        html`
          <${LogFilter}
            n=${all.filter((entry) => entry.kind !== "headline").length}
            beside=${beside}
          />
        `}
      <div
        class="log-list stack gap-2"
        ref=${list}
        onScroll=${scrolled}
        tabindex="0"
        role="log"
        aria-label=${say("log.label")}
        aria-live="off"
      >
        ${more &&
          html`
            <button type="button" class="button" data-kind="plain" onClick=${showMore}>
              ${say("log.earlier")}
            </button>
          `}
        ${lines.map((entry) => html`<${Entry} key=${entry.seq} entry=${entry} />`)}
        ${!entries.value.length && html`<p class="quiet">${say("log.empty")}</p>`}
      </div>
      ${below > 0 &&
        html`
          <button type="button" class="button" data-kind="plain" onClick=${toEnd}>
            ${say("log.newer", { n: below })}
          </button>
        `}
      <${SayLine} />
    </div>
  `;
}

/**
 * How much of the log is shown, and where it is scrolled to: the `list` element, its `lines`,
 * whether there are `more` before them, and how many have come `below` since the reader left the
 * end.
 */
function useScrolledLog(all) {
  const list = useRef(null);
  if (lastView.table !== the(here).id) {
    Object.assign(lastView, { table: the(here).id, atEnd: true, top: 0, shown: FIRST });
  }
  const atEnd = useRef(lastView.atEnd);
  const [lineCount, setLineCount] = useState(lastView.shown);
  const more = all.length > lineCount || (first.value > 1 && !isFiltered.value);
  const lines = all.slice(-lineCount);
  const top = lines[0]?.seq ?? 0;
  const drawn = useRef({ first: 0, height: 0, whole: false });
  // The last line that was in sight at the end, and how many have come below it since the reader
  // left there.
  const newest = useRef(all.at(-1)?.seq ?? 0);
  const [below, setBelow] = useState(0);
  lastView.shown = lineCount;
  useLayoutEffect(() => {
    if (!lastView.atEnd) list.current.scrollTop = lastView.top;
  }, []);
  const follow = () => {
    if (atEnd.current) newest.current = all.at(-1)?.seq ?? 0;
    setBelow(all.filter((entry) => entry.seq > newest.current).length);
  };
  const toEnd = () => {
    atEnd.current = true;
    list.current.scrollTop = list.current.scrollHeight;
    follow();
  };
  useLayoutEffect(() => {
    if (atEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
    follow();
  }, [all.length]);
  useLayoutEffect(() => {
    const { first: before, height, whole } = drawn.current;
    // What is added above must not move what is read.
    if (whole && !isFiltered.value && top < before && !atEnd.current) {
      list.current.scrollTop += list.current.scrollHeight - height;
    }
    drawn.current = { first: top, height: list.current.scrollHeight, whole: !isFiltered.value };
  });
  useEffect(() => {
    const resized = new ResizeObserver(() =>
      atEnd.current && list.current && (list.current.scrollTop = list.current.scrollHeight)
    );
    resized.observe(list.current);
    return () => resized.disconnect();
  }, []);
  useEffect(() => {
    if (!shownLine.value) return;
    if (isFiltered.value) clearFilter();
    else if (shownLine.value < first.value) {
      fetchEarlier().then((found) => found || (shownLine.value = 0));
    } else find(list.current);
  }, [shownLine.value, lineCount, all.length, isFiltered.value, first.value]);
  const find = (place) => {
    const index = all.findIndex((entry) => entry.seq >= shownLine.value);
    const behind = all.length - index;
    if (behind > lineCount && behind <= all.length) return setLineCount(behind);
    atEnd.current = false;
    // A line may tell of several records, up to its own.
    const line = place.querySelector(`[data-seq="${all[index]?.seq}"]`);
    line?.scrollIntoView({ block: "center" });
    line?.focus();
    shownLine.value = 0;
  };
  const showMore = async () => {
    atEnd.current = false;
    if (all.length <= lineCount && !(await fetchEarlier())) return;
    setLineCount(Math.min(lineCount, all.length) + FIRST);
  };
  const scrolled = () => {
    // The last event of a list that was left comes when it is gone.
    if (!list.current?.clientHeight) return;
    const { scrollTop, scrollHeight, clientHeight } = list.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < 48;
    Object.assign(lastView, { atEnd: atEnd.current, top: scrollTop });
    if (atEnd.current) follow();
    if (scrollTop < NEAR && more && !atEnd.current) showMore();
  };
  return { list, lines, more, below, toEnd, showMore, scrolled };
}

/** A line of more letters than this takes the whole width of the log. */
const LONG = 60;
/**
 * And one of so many is cut: it has a long title in it. What was written or rolled is there to be
 * read.
 */
const LONG_LINE = 160;
const WHOLE = new Set(["words.said", "dice.rolled", "paper.set"]);
/** And what no rewind takes back. */
const STAYS = new Set(["table.rewound", "paper.set"]);
const SIGNS = {
  "dice.rolled": "roll",
  "points.set": "turning",
  "table.rewound": "undo",
  "proposal.made": "info",
};

function Entry({ entry }) {
  if (entry.kind === "headline") {
    return html`
      <h3 class="log-scene ruled" data-seq=${entry.seq}>
        <${Clamped} text=${entry.text} />
      </h3>
    `;
  }
  const text = WHOLE.has(entry.kind)
    ? isolated(entry.text)
    : html`<${Clamped} text=${entry.text} long=${LONG_LINE} />`;
  return html`
    <p
      class="log-entry row baseline small"
      tabindex="-1"
      data-seq=${entry.seq}
      data-kind=${entry.kind}
      data-undone=${String(entry.undone)}
      data-long=${entry.text.length > LONG ? "true" : undefined}
    >
      ${entry.secret
        ? html`<${Glyph} name="secret" size="16" label=${say("log.hidden")} />`
        : SIGNS[entry.kind] && html`<${Glyph} name=${SIGNS[entry.kind]} size="16" />`}
      <span>
        ${entry.undone
          ? html`
            <s>${text}</s>
            <span class="visually-hidden">${" "}${say("log.undone")}</span>
          `
          : text}
      </span>
      ${entry.kind === "dice.rolled" &&
        html`
          <span class="log-tools push">
            <${VerificationMark} seqs=${[entry.seq]} />
            <${RollButton} seq=${entry.seq} />
          </span>
        `}
      ${lineTools.value[entry.kind]?.(entry)}
      ${entry.clock &&
        html`
          <time
            class="log-time fine quiet count whole"
            datetime=${new Date(entry.at).toISOString()}
          >
            ${entry.clock}
          </time>
        `}
    </p>
  `;
}

function SayLine() {
  const offer = byKey.value["table.say"];
  const [text, setText] = useState("");
  const [secret, setSecret] = useState(false);
  const field = useRef(null);
  const [waiting, send] = useOnce(async () => {
    if (!text.trim()) return void field.current.focus();
    const made = await make(
      "table.say",
      { text: text.trim(), ...(secret ? { secret: true } : {}) },
      { title: offer.title },
    );
    if (made) setText("");
  });
  if (!offer || offer.closed || !table.value) return null;
  const whisper = isAskedFor(offer, "secret");
  return html`
    <form class="say row gap-1" onSubmit=${send}>
      <input
        class="input"
        type="text"
        ref=${field}
        autocomplete="off"
        enterkeyhint="send"
        aria-label=${say("log.say")}
        placeholder=${say(secret ? "log.whisper" : "log.say")}
        value=${text}
        onInput=${(e) => setText(e.target.value)}
      />
      ${whisper && html`
        <button
          type="button"
          class="button"
          data-kind="icon"
          aria-pressed=${String(secret)}
          aria-label=${say("log.secret")}
          title=${say("log.secret")}
          onClick=${() => setSecret(!secret)}
        >
          <${Glyph} name="secret" size="24" />
        </button>
      `}
      <button
        type="submit"
        class="button"
        data-kind="icon"
        aria-label=${say("log.send")}
        aria-busy=${waiting ? "true" : undefined}
      >
        <${Glyph} name="arrow" size="24" />
      </button>
    </form>
  `;
}
