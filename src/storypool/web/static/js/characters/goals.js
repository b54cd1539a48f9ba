/** Tracks with a goal: how far each has come, and the marks of those that have reached it. */

import { html } from "../../vendor/preact.js";
import { panelsOf } from "../state/game.js";
import { Filled, Glyph } from "../ui/parts.js";
import { table, the } from "../state/store.js";
import { say } from "../state/words.js";

const kinds = (name) => panelsOf("goals").flatMap((panel) => panel.binds[name] ?? []);
const traits = (wanted) =>
  Object.values(table.value?.traits ?? {}).filter((trait) => wanted.includes(trait.kind));

/** The kinds of traits that are drawn only here. */
export function goalKinds() {
  return [...kinds("traits"), ...kinds("marks")];
}

/** The texts of a character's marks, such as "defeated". */
export function marksOf(who) {
  return traits(kinds("marks")).filter((trait) => trait.about === who).map((trait) => trait.text);
}

/** The tracks of a character for which the panel has a short word, and how far each has come. */
export function tracksOf(who) {
  return panelsOf("goals").flatMap(({ binds, words }) =>
    traits(binds.traits ?? []).filter((trait) => trait.about === who && words[trait.kind])
      .map((trait) => ({
        title: words[trait.kind],
        n: Math.min(trait.rating, trait.goal),
        most: trait.goal,
      }))
  );
}

/** The tracks and marks of one character. */
export function GoalsOf({ who }) {
  const tracks = traits(kinds("traits")).filter((trait) => trait.about === who);
  const marks = marksOf(who);
  if (!tracks.length && !marks.length) return null;
  return html`
    <div class="tasks stack gap-2">
      ${tracks.map((trait) => html`<${Goal} key=${trait.id} trait=${trait} />`)}
      <${Marks} marks=${marks} />
    </div>
  `;
}

/** Every track and mark of the table, each with its character. */
export function Goals() {
  return panelsOf("goals").map((panel) => {
    const tracks = traits(panel.binds.traits ?? []);
    const marked = traits(panel.binds.marks ?? []).map((trait) => trait.about);
    const owners = [...new Set([...tracks.map((trait) => trait.about), ...marked])];
    if (!owners.length) return null;
    return html`
      <section class="tasks-place stack full measure" key=${panel.title} aria-label=${panel.title}>
        <h3 class="label">${panel.title}</h3>
        ${owners.map((who) =>
          html`
            <div class="card tasks stack gap-2" key=${who}>
              ${the(table).characters[who] &&
                html`<p class="name">${the(table).characters[who].name}</p>`}
              ${tracks.filter((trait) => trait.about === who).map((trait) =>
                html`<${Goal} key=${trait.id} trait=${trait} />`
              )}
              <${Marks} marks=${marksOf(who)} />
            </div>
          `
        )}
      </section>
    `;
  });
}

function Goal({ trait }) {
  const { goal, text } = trait;
  const drawn = panelsOf("goals").find(({ binds }) => binds.traits?.includes(trait.kind))?.binds
    .drawn;
  // A full track shows no more than full, however far the last hit went beyond it.
  const rating = Math.min(trait.rating, goal);
  const part = rating / Math.max(1, goal);
  return html`
    <div class="task small gap-3 lines-1" data-full=${String(rating >= goal)}>
      <span>${text}</span>
      <strong class="count">${say("track.of", { n: rating, most: goal })}</strong>
      ${drawn
        ? html`
          <${Filled}
            n=${rating}
            most=${goal}
            drawn=${drawn}
            label=${`${text}: ${say("track.of", { n: rating, most: goal })}`}
          />
        `
        : html`
          <div
            class="task-bar odds-bar"
            role="meter"
            aria-label=${text}
            aria-valuemin="0"
            aria-valuemax=${goal}
            aria-valuenow=${rating}
            aria-valuetext=${say("track.of", { n: rating, most: goal })}
            style=${{ "--part": part.toFixed(3) }}
          ></div>
        `}
    </div>
  `;
}

function Marks({ marks }) {
  return marks.map((text) =>
    html`
      <p class="trait mark row baseline strong told" data-tone="bad" key=${text}>
        <${Glyph} name="cross" size="16" />
        <span>${text}</span>
      </p>
    `
  );
}
