/**
 * What leaves the table: the page of a session or of the campaign by a link, and a roll as a moving
 * picture. It is loaded when a session ends or one of them is asked for, with its words.
 */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { isolated } from "../ui/bidi.js";
import { copyFrom, handOn } from "../ui/sharing.js";
import { Button, Glyph } from "../ui/parts.js";
import { notice, tried } from "../state/announcements.js";
import { here, me, ours, table, the } from "../state/store.js";
import { at, call, inLanguage } from "../state/wire.js";
import { learnMore, say } from "../state/words.js";

/** Whether the words have come; they are asked for once. */
function useWords() {
  const [known, setKnown] = useState(say("stories.title") !== "stories.title");
  useEffect(() => {
    if (known) return;
    const path = inLanguage("/api/words?of=stories", the(table).options.language);
    call("GET", path).then((more) => {
      learnMore(more);
      setKnown(true);
    }, () => {});
  }, []);
  return known;
}

const isWatching = () => me.value?.side === "spectator";

/** The link to the page of one session, 0 for the campaign: a button until there is one. */
export function SendStory({ session, known, evening = false }) {
  const has = useWords();
  const [story, setStory] = useState(/** @type {Wire.StoryState | null} */ (known ?? null));
  if (!has || (isWatching() && !story?.url)) return null;
  const make = async () => {
    const body = { seat: the(here).seat, session };
    const made = await tried(() => call("POST", at(the(here).id, "stories"), body));
    if (made) setStory(made);
  };
  if (story?.url) return html`<${StoryLink} story=${story} take=${setStory} />`;
  return html`
    <div>
      <${Button} onTap=${make}>
        <${Glyph} name="link" />
        ${evening ? say("stories.recap") : say("stories.make")}
      <//>
    </div>
  `;
}

/** A link with what may be done with it: copied, handed on, looked at, taken back. */
function StoryLink({ story, take }) {
  const field = useRef(null);
  const copy = async () =>
    notice(say((await copyFrom(field.current)) ? "invite.copied" : "invite.copyYourself"));
  const share = () =>
    navigator.share({ title: the(table).title, url: story.url }).catch(() => null);
  const end = async () => {
    const done = await tried(() => call("DELETE", ours("stories", String(story.session))));
    if (!done) return;
    take({ ...story, path: "", url: "" });
    notice(say("stories.ended"));
  };
  return html`
    <div class="stack gap-1 full">
      <input
        class="input link-url small"
        readonly
        ref=${field}
        value=${story.url}
        aria-label=${say("invite.address")}
        onFocus=${(event) => event.target.select()}
      />
      <div class="cluster">
        <${Button} onTap=${copy}>${say("invite.copy")}<//>
        ${"share" in navigator && html`<${Button} onTap=${share}>${say("invite.send")}<//>`}
        <a class="button" href=${story.path} target="_blank" rel="noreferrer">
          ${say("stories.look")}
        </a>
        ${story.may_end &&
          html`<${Button} kind="plain" onTap=${end}>${say("stories.end")}<//>`}
      </div>
    </div>
  `;
}

/** The campaign and its sessions: when, who was there, what was spent, and the page of each. */
export function Stories() {
  const has = useWords();
  const [stories, setStories] = useState(/** @type {Wire.StoryState[] | null} */ (null));
  useEffect(() => {
    call("GET", ours("stories")).then(setStories, () => {});
  }, []);
  if (!has || !stories) return null;
  return html`
    <section class="stack gap-2">
      <h3 class="label">${say("stories.title")}</h3>
      <p class="fine quiet">${say("stories.about")}</p>
      ${stories.length < 2 && html`<p>${say("stories.none")}</p>`}
      <ul class="session-rows">
        ${stories.map((one) =>
          html`
            <li class="stack gap-1 ruled" key=${one.session}>
              <strong>
                ${one.session
                  ? say("stories.session", { n: one.session })
                  : say("stories.campaign")}
              </strong>
              <${About} story=${one} />
              <${SendStory} session=${one.session} known=${one} />
            </li>
          `
        )}
      </ul>
    </section>
  `;
}

function About({ story }) {
  if (!story.session) return null;
  const facts = [
    new Date(story.began).toLocaleDateString([], { dateStyle: "medium" }),
    story.running && say("stories.running"),
    story.people.join(", "),
    story.spent > 0 && say("stories.spent", { n: story.spent }),
  ];
  return html`
    <span class="fine quiet">${isolated(facts.filter(Boolean).join(" · "))}</span>
    ${story.line && html`<span>${isolated(story.line)}</span>`}
  `;
}

/** A button that hands a roll on as a moving picture, or saves it. */
export function ShareMoving({ roll, text }) {
  const has = useWords();
  const seq = roll.seqs.at(-1);
  if (!has || !seq) return null;
  const share = async () => {
    notice(say("stories.painting"));
    const path = ours("rolls", `${seq}/moving.gif`);
    const picture = await tried(() => call("GET", path));
    if (!picture) return;
    const file = new File([picture], "roll.gif", { type: "image/gif" });
    if (!(await handOn(file, text))) notice(say("result.saved"));
  };
  return html`<${Button} onTap=${share}><${Glyph} name="roll" />${say("stories.moving")}<//>`;
}
