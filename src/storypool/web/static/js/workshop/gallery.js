/** The gallery: games of this server and of one page, each with a scene that plays itself. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { GameName } from "../screens/game-look.js";
import { OpenTable } from "./open-table.js";
import { keep, kept } from "../state/browser-storage.js";
import { session } from "../state/store.js";
import { call, troubleIn } from "../state/wire.js";
import { say } from "../state/words.js";
import { calm } from "../ui/motion.js";
import { Alert, Because, Button, Die } from "../ui/parts.js";

/** Milliseconds between two steps of a scene. */
const STEP = 3000;
/** A scene is in sight while some of it is in the middle of the window. */
const MIDDLE = "-30% 0px";

/** All games, each as a card. */
export function Gallery() {
  const [games, setGames] = useState(/** @type {Wire.GalleryGame[]} */ ([]));
  const [origins, setOrigins] = useState(/** @type {Record<string, Origin>} */ ({}));
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  useEffect(() => {
    call("GET", "/api/gallery").then(setGames, (error) => setError(troubleIn(error).refusal));
    learnOrigins().then(setOrigins, () => {});
  }, []);
  return html`
    <main class="screen stack gap-5">
      <header class="cluster">
        <a class="button" data-kind="plain" href="/">${say("keep.home")}</a>
        <h1 class="result grow">${say("workshop.gallery.title")}</h1>
        ${session.value?.workshop &&
          html`<a class="button" href="/workshop">${say("home.workshop")}</a>`}
      </header>
      <p class="quiet">${say("workshop.gallery.about")}</p>
      ${error && html`<${Because} refusal=${error} />`}
      ${games.map((game) =>
        html`<${Scene} key=${game.key} game=${game} of=${origins[game.key]} />`
      )}
    </main>
  `;
}

/**
 * A game with its scene. It plays while it is in sight and nobody has stopped it; with reduced
 * motion all its steps are there at once.
 */
function Scene({ game, of }) {
  const place = useRef(null);
  const last = game.scene.length - 1;
  const [step, setStep] = useState(calm() ? last : 0);
  const [isSeen, setSeen] = useState(false);
  const [isStopped, setStopped] = useState(calm());
  useEffect(() => {
    const observer = new IntersectionObserver(([one]) => setSeen(one.isIntersecting), {
      rootMargin: MIDDLE,
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const plays = isSeen && !isStopped && step < last;
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => setStep(step + 1), STEP);
    return () => clearTimeout(timer);
  }, [plays, step]);
  function turn() {
    if (step === last) setStep(0);
    setStopped(plays);
  }
  return html`
    <article class="card stack gap-2" ref=${place} aria-label=${game.name}>
      <h2 class="lead">
        <${GameName} game=${game} />
      </h2>
      <p class="fine quiet">${game.about}</p>
      <ol class="scene-steps stack gap-1">
        ${game.scene.map((one, n) =>
          html`
            <li class="small" key=${n} data-coming=${n > step ? "true" : undefined}>
              ${one.text}
              ${one.dice.length > 0 && html`
                <span class="inline wrap gap-0" aria-hidden="true">
                  ${one.dice.map(([name, face], i) =>
                    html`<${Die} key=${i} name=${name} number=${
                      String(face)
                    } of=${game} size="small" />`
                  )}
                </span>
              `}
            </li>
          `
        )}
      </ol>
      <div class="cluster">
        <${Button} onTap=${turn}>
          ${say(plays ? "workshop.gallery.stop" : "workshop.gallery.play")}
        <//>
        ${of && html`<${Begin} of=${of} title=${game.name} />`}
      </div>
    </article>
  `;
}

/** @typedef {{ system: string } | { game: string }} Origin A game of the server, or a text. */

/**
 * Where a table of each game comes from: by its key, or by its text if it is one of the docs.
 *
 * @returns {Promise<Record<string, Origin>>}
 */
async function learnOrigins() {
  const own = await call("GET", "/api/systems");
  const written = session.value?.workshop ? await call("GET", "/api/workshop/games") : [];
  return Object.fromEntries([
    ...written.map(({ key, text }) => [key, { game: text }]),
    ...own.map(({ key }) => [key, { system: key }]),
  ]);
}

/** The ways on from a game: a table of it, and its text in the workshop. */
function Begin({ of, title }) {
  const [error, setError] = useState(/** @type {Wire.Reason | null} */ (null));
  function change() {
    const before = kept("workshop", "");
    if (before.trim() && before !== of.game) keep("workshop.earlier", before);
    keep("workshop", of.game);
    location.assign("/workshop");
  }
  return html`
    ${session.value?.may_open &&
      html`<${OpenTable} of=${of} title=${title} setError=${setError} />`}
    ${of.game && html`<${Button} onTap=${change}>${say("workshop.gallery.change")}<//>`}
    <${Alert} refusal=${error} />
  `;
}
