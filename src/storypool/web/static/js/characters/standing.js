/** What lasts beside the action: goals with their progress, and traits item by item. */

import { html } from "../../vendor/preact.js";
import { noteOf, panelsOf, startWith } from "../state/game.js";
import { check, table, the } from "../state/store.js";
import { say } from "../state/words.js";
import { RANKS, useSpeaking } from "../ui/in-view.js";
import { Listed, shownIn, traits } from "./lists.js";

/** Every goal with its progress, under what it belongs to, with what is at stake. */
export function Tracks() {
  return panelsOf("track").map((panel) => {
    const { trait, of } = panel.binds;
    const found = traits(trait).filter((one) => one.goal > 0);
    const heads = of ? traits(of) : [];
    const loose = found.filter((one) => !heads.some((head) => head.id === one.at));
    if (!heads.length && !loose.length) return null;
    return html`
      <section class="course-place card stack" key=${panel.title} aria-label=${panel.title}>
        ${heads.map((head) =>
          html`
            <${Course}
              key=${head.id}
              panel=${panel}
              head=${head}
              found=${found.filter((one) => one.at === head.id)}
            />
          `
        )}
        ${loose.map((one) => html`<${Goal} key=${one.id} one=${one} />`)}
      </section>
    `;
  });
}

/** What goals belong to, such as a fight, with what is at stake; it is in view when it begins. */
function Course({ panel, head, found }) {
  const place = useSpeaking(head.id, RANKS.stakes);
  return html`
    <div class="course-of stack gap-2" ref=${place}>
      <h2 class="cluster baseline lines-0">
        <span class="label">${panel.title}</span> <span class="name">${head.text}</span>
      </h2>
      <${Terms} panel=${panel} head=${head} />
      ${found.map((one) => html`<${Goal} key=${one.id} one=${one} />`)}
      <${Besides} panel=${panel} />
    </div>
  `;
}

/** What goes with it, such as its circumstances, in short lines. */
function Besides({ panel }) {
  const found = (panel.binds.beside ?? []).flatMap((kind) => traits(kind));
  if (!found.length) return null;
  return html`
    <ul class="course-besides cluster lines-0 small">
      ${found.map((one) =>
        html`
          <li key=${one.id}>
            <${Line} panel=${panel} one=${one} />
          </li>
        `
      )}
    </ul>
  `;
}

/** The terms of a trait that the panel names, each with the panel's word for it. */
function Terms({ panel, head }) {
  const shown = (panel.binds.terms ?? []).filter((key) => head.terms?.[key]);
  if (!shown.length) return null;
  return html`
    <dl class="course-terms stack gap-1 small">
      ${shown.map((key) =>
        html`
          <div class="cluster lines-0" key=${key}>
            <dt class="quiet">${panel.words[key] ?? key}</dt>
            <dd>${head.terms[key]}</dd>
          </div>
        `
      )}
    </dl>
  `;
}

function Goal({ one }) {
  const done = Math.min(one.rating, one.goal);
  return html`
    <div class="course stack gap-1" data-side=${one.about === "@gm" ? "gm" : "player"}>
      <p class="course-words small count">
        ${say("track.named", { what: one.text, n: done, most: one.goal })}
      </p>
      <div
        class="course-bar odds-bar"
        aria-hidden="true"
        style=${{ "--part": (done / one.goal).toFixed(3) }}
      ></div>
    </div>
  `;
}

/** The kinds that stand beside what goals belong to, where there is such a thing. */
const besides = () =>
  panelsOf("track").flatMap(({ binds }) =>
    binds.of && traits(binds.of).length ? binds.beside ?? [] : []
  );

/** Whether a trait is about a character of the action in sight. */
const isNear = ({ about }) =>
  Boolean(about && check.value) && [check.value.actor, check.value.against].includes(about);

/**
 * Traits of some kinds, each with its text, its rating with the panel's word for it, and its
 * character. A move that can begin with one begins with a tap on it; those of the people of the
 * action are shown then too.
 */
export function Lists() {
  const elsewhere = besides();
  return panelsOf("list").map((panel) => {
    const shown = shownIn(panel);
    const found = traits(...panel.binds.traits).filter((one) =>
      !elsewhere.includes(one.kind) &&
      (shown.includes(one) || (isNear(one) && startWith(panel.binds.any, one)))
    );
    if (!found.length) return null;
    return html`
      <section class="standing stack gap-2" key=${panel.title}>
        <h3 class="label">${panel.title}</h3>
        <ul class="standing-list stack gap-1">
          ${found.map((one) => html`<${Entry} key=${one.id} panel=${panel} one=${one} />`)}
        </ul>
      </section>
    `;
  });
}

const Entry = ({ panel, one }) =>
  html`
    <${Listed} one=${one} named=${panel.binds.any}>
      <${Line} panel=${panel} one=${one} />
      <//>
  `;

const Line = ({ panel, one }) =>
  html`<span>${one.text}</span> <span class="fine quiet">${notes(panel, one)}</span>`;

function notes(panel, one) {
  const whose = the(table).characters[one.about]?.name;
  return [
    panel.words.rating && say("list.rating", { what: panel.words.rating, n: one.rating }),
    noteOf(panel, one),
    !one.text.startsWith(`${whose}:`) && whose,
    one.seen_by && say("people.hidden"),
  ].filter(Boolean).join(" · ");
}
