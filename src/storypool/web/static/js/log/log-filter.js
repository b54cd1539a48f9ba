/**
 * What of the log is shown: by words, by person and by kind. It stays as it is while the log is not
 * in sight.
 */

import { computed, effect, html, signal } from "../../vendor/preact.js";
import { first, forgetOlder, lookEarlier, older } from "../state/earlier-records.js";
import { Glyph } from "../ui/parts.js";
import { hasWords, searchWords } from "../state/folding.js";
import { here, table, the } from "../state/store.js";
import { oneOf, say } from "../state/words.js";

const KINDS = {
  rolls: ["check.opened", "check.changed", "dice.rolled", "check.closed"],
  points: ["points.set"],
  words: ["words.said"],
  facts: ["trait.set", "trait.removed", "character.set"],
};
const ALL = { text: "", who: "", kind: "" };

/** What is asked for: { text, who, kind }, each "" for everything. */
const wanted = signal(ALL);
/** Whether the questions are open. */
const opened = signal(false);

/** Whether not every line is shown. */
export const isFiltered = computed(() => Object.values(wanted.value).some((one) => one.trim()));

/** How long after the last letter the server is asked, in milliseconds. */
const WRITING = 350;
const sought = () => ({
  words: wanted.peek().text,
  who: wanted.peek().who,
  kinds: KINDS[wanted.peek().kind] ?? [],
});
const incomplete = computed(() => first.value > 1);
effect(() => {
  if (!here.value || !isFiltered.value || !incomplete.value) return forgetOlder();
  const asked = wanted.value;
  const timer = setTimeout(() => asked === wanted.peek() && lookEarlier(sought()), WRITING);
  return () => clearTimeout(timer);
});

/** Show every line again. */
export function clearFilter() {
  wanted.value = ALL;
}

/** The lines that are asked for, with the headlines that have one of them below. */
export function filtered(entries) {
  if (!isFiltered.value) return entries;
  const { text, who, kind } = wanted.value;
  const words = searchWords(text);
  const name = (the(table).seats[who] ?? the(table).characters[who])?.name ?? "";
  const fits = (entry) =>
    hasWords(entry.text, words) &&
    (!who || entry.seat === who || entry.text.includes(name)) &&
    (!kind || KINDS[kind].includes(entry.kind));
  const found = [];
  let scene = null;
  for (const entry of entries) {
    if (entry.kind === "headline" && !(words.length && fits(entry))) scene = entry;
    else if (fits(entry)) {
      if (scene) found.push(scene);
      scene = null;
      found.push(entry);
    }
  }
  return found;
}

const set = (name) => (event) => {
  wanted.value = { ...wanted.value, [name]: event.target.value };
};

/** The questions: a search, and behind a button whose lines and which kind. */
export function LogFilter({ n, beside }) {
  const turn = () => {
    opened.value = !opened.value;
  };
  return html`
    <search class="log-filter stack gap-2 whole">
      <div class="cluster">
        <input
          class="input"
          type="search"
          autocomplete="off"
          aria-label=${say("filter.search")}
          placeholder=${say("filter.search")}
          value=${wanted.value.text}
          onInput=${set("text")}
        />
        <div class="row push">
          <button
            type="button"
            class="button"
            data-kind="plain"
            aria-expanded=${String(opened.value)}
            onClick=${turn}
          >
            <${Glyph} name="chevron" size="16" />
            ${say("filter.more")}
          </button>
          ${beside}
        </div>
      </div>
      ${opened.value && html`<${WhoseAndWhich} />`}
      <div class="row log-filter-found" role="status">
        ${isFiltered.value && html`<${Found} n=${n} />`}
      </div>
    </search>
  `;
}

/** Whose lines are shown, and of which kind. */
function WhoseAndWhich() {
  const { who, kind } = wanted.value;
  const seats = Object.values(the(table).seats);
  const people = Object.values(the(table).characters).filter((one) =>
    one.side !== "none" || one.seat
  );
  return html`
    <div class="log-filter-more gap-2">
      <select
        class="select"
        aria-label=${say("filter.who")}
        value=${who}
        onChange=${set("who")}
      >
        <option value="">${say("filter.everyone")}</option>
        ${[...seats, ...people].map((one) =>
          html`<option key=${one.id} value=${one.id}>${one.name}</option>`
        )}
      </select>
      <select
        class="select"
        aria-label=${say("filter.kind")}
        value=${kind}
        onChange=${set("kind")}
      >
        <option value="">${say("filter.everything")}</option>
        ${Object.keys(KINDS).map((one) =>
          html`<option key=${one} value=${one}>${oneOf("filter.kinds", one)}</option>`
        )}
      </select>
    </div>
  `;
}

/** How many lines were found, and the ways to more of them. */
function Found({ n }) {
  const isMore = older.value.before > 1;
  const further = isMore && html`
    <button
      type="button"
      class="button"
      data-kind="plain"
      onClick=${() => lookEarlier(sought(), true)}
    >
      ${say("filter.further")}
    </button>
  `;
  return html`
    <p class="fine quiet grow">${say("filter.found", { n })}</p>
    ${older.value.busy ? html`<span class="fine quiet">${say("filter.looking")}</span>` : further}
    <button type="button" class="button" data-kind="plain" onClick=${clearFilter}>
      ${say("filter.all")}
    </button>
  `;
}
