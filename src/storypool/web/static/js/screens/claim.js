/** Who is at the door: a device that asks to speak for a seat. */

import { html } from "../../vendor/preact.js";
import { tried } from "../state/announcements.js";
import { here, seatName, the } from "../state/store.js";
import { at, call } from "../state/wire.js";
import { say } from "../state/words.js";
import { Button } from "../ui/parts.js";

/** A claim: a device that asks to speak for a seat, and shows the same code. */
export function Claim({ claim }) {
  const answer = (agree) => () =>
    tried(() =>
      call("POST", at(the(here).id, "claims", claim.id), { seat: the(here).seat, agree })
    );
  return html`
    <article class="card proposal stack gap-2" data-tone="other">
      <p>${say("claim.asks", { who: seatName(claim.seat) })}</p>
      <p
        class="claim-code numeral text-centre"
        aria-label=${say("claim.code", { code: claim.code })}
      >
        ${claim.code}
      </p>
      <div class="cluster">
        <${Button} onTap=${answer(true)}>${say("claim.agree")}<//>
        <${Button} onTap=${answer(false)}>${say("claim.refuse")}<//>
      </div>
    </article>
  `;
}
