/** Invitations: a link for each side, as a code for phones, to copy, to share, to revoke. */

import { html, useEffect, useRef, useState } from "../../vendor/preact.js";
import { Button, Fold, Glyph } from "../ui/parts.js";
import { notice, tried } from "../state/announcements.js";
import { keep, kept } from "../state/browser-storage.js";
import { here, isGm, leads, ours, the } from "../state/store.js";
import { at, call } from "../state/wire.js";
import { oneOf, say } from "../state/words.js";
import { copyFrom } from "../ui/sharing.js";

/** Whom a link may be for. */
const SIDES = ["player", "spectator", "gm", "device"];
/** The links that are shown again after a reload; one that is for a single reader is not kept. */
const SHARED = ["player", "spectator"];
/** Milliseconds until a shared link is minted again: the address of the server may be another. */
const A_DAY = 86_400_000;
/** The links that this page has made for each seat. */
/** @type {Map<string, Record<string, Wire.Link>>} */
const minted = new Map();

/** @type {() => Record<string, { at: number, link: Wire.Link }>} */
const storedLinks = () =>
  Object.fromEntries(
    Object.entries(kept("links", {})).filter(([, { at }]) => Date.now() - at < A_DAY),
  );

/**
 * The links that were made for a seat, in this page or shared ones in this browser.
 *
 * @param {string} whose
 * @returns {Record<string, Wire.Link>}
 */
function linksFor(whose) {
  const shared = SHARED.flatMap((side) => {
    const one = storedLinks()[`${whose} ${side}`];
    return one ? [[side, one.link]] : [];
  });
  return minted.get(whose) ?? Object.fromEntries(shared);
}

/** Keep the links of a seat, and forget those that are gone. */
function keepLinks(whose, made) {
  minted.set(whose, made);
  const stored = storedLinks();
  for (const side of SHARED) {
    const key = `${whose} ${side}`;
    if (!made[side]) delete stored[key];
    else if (stored[key]?.link.id !== made[side].id) {
      stored[key] = { at: Date.now(), link: made[side] };
    }
  }
  keep("links", stored);
}

/** The links that this seat may mint; `ready` is one that was just made. */
export function Invite({
  ready,
  sides = SIDES.filter((one) => one === "device" || isGm.value || (leads.value && one !== "gm")),
}) {
  const whose = `${the(here).id} ${the(here).seat}`;
  const [made, setMade] = useState(
    () => ({ ...linksFor(whose), ...(ready && { [ready.side]: ready }) }),
  );
  const [side, setSide] = useState(ready?.side ?? sides[0]);
  const shown = ready && !sides.includes(ready.side) ? [ready.side, ...sides] : sides;
  const link = made[side];
  async function mint() {
    const link = await tried(() =>
      call("POST", at(the(here).id, "links"), { seat: the(here).seat, side })
    );
    if (link) setMade((old) => ({ ...old, [side]: link }));
  }
  const drop = (ids) =>
    setMade((old) =>
      Object.fromEntries(Object.entries(old).filter(([, one]) => !ids.includes(one.id)))
    );
  useEffect(() => keepLinks(whose, made), [made]);
  // Most people come here for the players' link, so it is minted at once.
  useEffect(() => {
    if (!ready && side === sides[0] && !made[side]) mint();
  }, []);
  return html`
    <div class="invite stack">
      ${shown.length > 1 && html`
        <div class="cluster" role="group" aria-label=${say("invite.for")}>
          ${shown.map((one) =>
            html`
              <button
                type="button"
                class="chip inline target small"
                key=${one}
                aria-pressed=${String(one === side)}
                onClick=${() => setSide(one)}
              >
                <${Glyph}
                  name=${{ gm: "gm", spectator: "spectator", device: "link" }[one] ?? "player"}
                />
                ${oneOf("link", one)}
              </button>
            `
          )}
        </div>
      `}
      <p class="quiet">${oneOf("link.about", side)}</p>
      ${link
        ? html`<${Link} key=${link.id} link=${link} />`
        : html`<${Button} onTap=${mint}><${Glyph} name="plus" />${say("invite.make")}<//>`}
      <${Given} renewed=${link?.id} made=${made} onGone=${drop} />
    </div>
  `;
}

/** One link: the code, the address, and buttons to copy and share it. */
function Link({ link }) {
  const field = useRef(null);
  const share = () =>
    navigator.share({ title: say("invite.share"), url: link.url }).catch(() => null);
  return html`
    <div class="link-card stack centre">
      <${Qr} text=${link.url} />
      <div class="stack gap-1 grow full">
        <input
          class="input link-url small"
          readonly
          ref=${field}
          value=${link.url}
          aria-label=${say("invite.address")}
          onFocus=${(e) => e.target.select()}
        />
        <div class="cluster">
          <${Button} onTap=${() => copied(field.current)}>${say("invite.copy")}<//>
          ${"share" in navigator && html`<${Button} onTap=${share}>${say("invite.send")}<//>`}
        </div>
        <p class="fine quiet">${say("invite.once")}</p>
        <${Code} link=${link} />
      </div>
    </div>
  `;
}

/** A short code for the link, where that cannot be tapped: for a chat, a terminal, a telephone. */
function Code({ link }) {
  const [made, setMade] = useState(/** @type {Wire.LinkCode | null} */ (null));
  const make = async () =>
    setMade(
      await tried(() =>
        call("POST", at(the(here).id, "links", link.id, "code"), { seat: the(here).seat })
      ) ?? null,
    );
  if (!made) return html`<${Button} kind="plain" onTap=${make}>${say("invite.code")}<//>`;
  const time = new Date(made.until).toLocaleTimeString([], { timeStyle: "short" });
  return html`
    <p role="status">
      <strong>${made.code}</strong>
      <span class="fine quiet">${" "}${say("invite.codeUntil", { time })}</span>
    </p>
  `;
}

async function copied(input) {
  notice(say((await copyFrom(input)) ? "invite.copied" : "invite.copyYourself"));
}

/** An address as a QR code: dark on light in both themes, with its quiet zone. */
function Qr({ text }) {
  const [code, setCode] = useState(/** @type {Wire.QrRows | null} */ (null));
  useEffect(() => void call("POST", "/api/qr", { text }).then(setCode, () => setCode(null)), [
    text,
  ]);
  if (!code) return html`<div class="qr" data-colour="white"></div>`;
  const path = code.rows.map((row, y) =>
    row.map((dark, x) => dark ? `M${x} ${y}h1v1h-1z` : "").join("")
  ).join("");
  return html`
    <svg
      class="qr"
      data-colour="white"
      viewBox="-4 -4 ${code.size + 8} ${code.size + 8}"
      role="img"
      aria-label=${say("invite.qr")}
      shape-rendering="crispEdges"
    >
      <rect class="qr-light" x="-4" y="-4" width=${code.size + 8} height=${code.size + 8} />
      <path class="qr-dark" d=${path} />
    </svg>
  `;
}

/** How many links there are for whom, in words. */
const counted = (links) =>
  SIDES.filter((side) => links.some((one) => one.side === side)).map((side) =>
    say("invite.of", {
      whose: oneOf("link", side),
      n: links.filter((one) => one.side === side).length,
    })
  ).join(", ");

/** The links that work, by name and time; those who joined by a revoked link keep their seats. */
function Given({ renewed, made, onGone }) {
  const [links, setLinks] = useState(/** @type {Wire.LinkState[]} */ ([]));
  async function look() {
    const before = Object.values(made).map(({ id }) => id);
    const listed = await call("GET", ours("links")).catch(() => null);
    setLinks(listed ?? []);
    // Revoked, here or elsewhere: what is made while this is asked is not among them.
    if (listed) onGone(before.filter((id) => !listed.some((one) => one.id === id)));
  }
  useEffect(() => void look(), [renewed]);
  async function revoke(link) {
    await tried(() => call("DELETE", ours("links", link.id)));
    await look();
  }
  if (!links.length) return null;
  return html`
    <${Fold} title=${say("invite.given", { links: counted(links) })}>
      ${html`
        <ul class="given stack gap-1">
          ${links.map((link) =>
            html`
              <li class="row" key=${link.id}>
                <span class="grow">
                  ${oneOf("link", link.side)}
                  ${link.note && html`${" "}<span class="quiet">${link.note}</span>`}
                  <span class="fine quiet">
                    ${" "}
                    ${new Date(link.made).toLocaleString([], {
                      dateStyle: "medium",
                      timeStyle: "short",
                    })}
                  </span>
                </span>
                <${Button} kind="plain" onTap=${() => revoke(link)}>${say("invite.revoke")}<//>
              </li>
            `
          )}
        </ul>
      `}
    <//>
  `;
}
