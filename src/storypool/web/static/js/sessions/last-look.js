/** The last look before a session ends: what each still has, and what ends with it. */

import { html } from "../../vendor/preact.js";
import { panelsOf, people, purses } from "../state/game.js";
import { counted } from "../state/looks.js";
import { Fading } from "./gauge.js";
import { Button } from "../ui/parts.js";
import { game, make, table, the } from "../state/store.js";
import { say } from "../state/words.js";

/** What each still has, and the button that ends the session if that is still meant. */
export function LastLook({ offer, given, close }) {
  const heroes = people.value.filter((one) => one.side === "players");
  // How a fight or a contest ended is news, and nothing that anybody has.
  const news = panelsOf("moment").flatMap(({ binds }) => binds.traits ?? []);
  // Turns and places of a fight are named by people, whom nobody loses.
  const places = [
    ...panelsOf("slots").map(({ binds }) => binds.trait),
    ...panelsOf("board").map(({ binds }) => binds.people),
  ];
  const endsWithSession = (trait) =>
    trait.text && !places.includes(trait.kind) &&
    ["round", "scene", "session"].includes(trait.until) &&
    (trait.about || !news.includes(trait.kind));
  const ending = Object.values(the(table).traits).filter(endsWithSession);
  const waiting = Object.keys(the(table).proposals).length;
  const end = async () => (await make(offer.key, given, { title: offer.title })) && close();
  return html`
    <div class="stack">
      <h3 class="label">${say("sessionEnd.points")}</h3>
      <ul class="cluster last-points">
        ${purses.value.map((account) =>
          html`
            <li class="tag" key=${account.name}>
              ${counted(the(table).points[account.name] ?? 0, account.name)}
            </li>
          `
        )}
      </ul>
      ${panelsOf("gauge").map((panel) => html`<${Fading} key=${panel.title} panel=${panel} />`)}
      ${heroes.length > 0 && html`
        <h3 class="label">${say("sessionEnd.people")}</h3>
        <dl class="numbers last-people small">
          ${heroes.map((one) =>
            html`
              <div key=${one.id}>
                <dt>${one.name}</dt>
                <dd class="strong">${holds(one) || say("sessionEnd.nothing")}</dd>
              </div>
            `
          )}
        </dl>
      `}
      ${ending.length > 0 && html`
        <h3 class="label">${say("sessionEnd.ends")}</h3>
        <ul class="facts-list stack gap-2">
          ${ending.map((trait) =>
            html`
              <li class="told snug" key=${trait.id}>
                ${trait.text}
                ${owner(trait) && html`${" "}<span class="quiet">(${owner(trait)})</span>`}
              </li>
            `
          )}
        </ul>
      `}
      ${waiting > 0 && html`<p>${say("sessionEnd.waiting", { n: waiting })}</p>`}
      <div class="form-foot wrap gap-2">
        <button type="button" class="button" onClick=${close}>${say("sessionEnd.not")}</button>
        <${Button} kind="primary" onTap=${end}>${offer.title}<//>
      </div>
    </div>
  `;
}

/** What a character holds, in words, without what it has none of, and what still hurts. */
function holds(one) {
  const own = (the(game).accounts ?? []).filter((account) => account.each === "character");
  const balance = (name) => the(table).points[`${one.id}.${name}`] ?? 0;
  const have = own.map(({ name }) => name).filter(balance);
  return [...have.map((name) => counted(balance(name), name)), ...injuriesOf(one.id)].join(", ");
}

/** Whose a trait is, where its text does not say so. */
function owner(trait) {
  const name = the(table).characters[trait.about]?.name ?? "";
  return trait.text.includes(name) ? "" : name;
}

/** What of a character lasts beyond the scene and hurts, in words. */
function injuriesOf(who) {
  const hurts = panelsOf("list").flatMap(({ binds }) => binds.hurts ?? []);
  const lasts = ({ kind, at, until, about }) =>
    about === who && !until && (hurts.includes(kind) || hurts.includes(`${kind} ${at}`));
  return Object.values(the(table).traits).filter(lasts).map(({ text }) => text);
}
