/** The questions of an action whose odds are shown, as its form asks them at a table. */

import { html, useId } from "../../vendor/preact.js";

/** The questions; a choice with one answer, and words that change no dice, are not asked. */
export function RollQuestions({ shown, set }) {
  const asked = shown.asks.filter((ask) =>
    (ask.kind === "choice" && ask.choices.length > 1) || ["number", "flag"].includes(ask.kind)
  );
  const answer = (ask) => (value) =>
    set({
      pool: "",
      action: shown.action,
      answers: { ...shown.answers, [ask.name]: value },
    });
  if (!asked.length) return null;
  return html`
    <div class="tiles gap-2">
      ${asked.map((ask) =>
        html`
          <${Question}
            key=${ask.name}
            ask=${ask}
            value=${shown.answers[ask.name] ?? ask.default}
            set=${answer(ask)}
          />
        `
      )}
    </div>
  `;
}

function Question({ ask, value, set }) {
  const id = useId();
  return html`
    <div class="field stack gap-1">
      <label for=${id}>${ask.label}</label>
      ${ask.kind === "choice"
        ? html`
          <select class="select" id=${id} value=${value} onChange=${(e) => set(e.target.value)}>
            ${ask.choices.map((one) =>
              html`
                <option key=${one.value} value=${one.value} disabled=${Boolean(one.closed)}>
                  ${one.label}
                </option>
              `
            )}
          </select>
        `
        : html`
          <input
            class="input"
            type=${ask.kind === "flag" ? "checkbox" : "number"}
            id=${id}
            min=${ask.low}
            max=${ask.high}
            value=${value}
            checked=${value === true}
            onChange=${({ target }) =>
              set(ask.kind === "flag" ? target.checked : Number(target.value))}
          />
        `}
    </div>
  `;
}
