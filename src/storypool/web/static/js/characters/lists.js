/** Lists of lasting things: goals with their progress, and traits item by item. */

import { html } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { RANKS, useSpeaking } from "../ui/in-view.js";
import { table, the } from "../state/store.js";
import { say } from "../state/words.js";

const traits = (...kinds) =>
  Object.values(the(table).traits).filter((trait) => kinds.includes(trait.kind) && trait.text);

/** The kinds of traits that have a panel of these kinds, and are listed only here. */
export function standingKinds() {
  return [...panelsOf("track"), ...panelsOf("list")].flatMap(({ binds }) =>
    [binds.trait, binds.of, ...(binds.traits ?? [])].filter(Boolean)
  );
}

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
    </div>
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

const shownIn = ({ binds }) =>
  traits(...binds.traits).filter((one) => !binds.passing || one.until || one.rating > 0);

/** What the lists show of one character. */
export const listedOf = (who) =>
  panelsOf("list").flatMap(shownIn).filter((one) => one.about === who);

/**
 * Traits of some kinds, each with its text, its rating with the panel's word for it, and its
 * character.
 */
export function Lists() {
  return panelsOf("list").map((panel) => {
    const found = shownIn(panel);
    if (!found.length) return null;
    return html`
      <section class="standing stack gap-2" key=${panel.title}>
        <h3 class="label">${panel.title}</h3>
        <ul class="standing-list stack gap-1">
          ${found.map((one) =>
            html`
              <li class="told snug" key=${one.id}>
                <span>${one.text}</span> <span class="fine quiet">${notes(panel, one)}</span>
              </li>
            `
          )}
        </ul>
      </section>
    `;
  });
}

function notes(panel, one) {
  const whose = the(table).characters[one.about]?.name;
  return [
    panel.words.rating && say("list.rating", { what: panel.words.rating, n: one.rating }),
    !one.text.startsWith(`${whose}:`) && whose,
    one.seen_by && say("people.hidden"),
  ].filter(Boolean).join(" · ");
}
