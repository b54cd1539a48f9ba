/** What a record says, where the page looks for one kind of it. */

/**
 * The event of a record if it is of this type, or undefined.
 *
 * @template {Wire.Event["type"]} Type
 * @param {Wire.RecordShown | undefined} record
 * @param {Type} type
 * @returns {Extract<Wire.Event, { type: Type }> | undefined}
 */
export function eventOf(record, type) {
  const event = record?.event;
  return event?.type === type ? /** @type {any} */ (event) : undefined;
}

/**
 * The action that an event opens or changes, as it is then, or undefined.
 *
 * @param {Wire.Event | null} event
 */
export function actionIn(event) {
  return event?.type === "check.opened" || event?.type === "check.changed"
    ? event.check
    : undefined;
}

/**
 * The kind of the period that an event begins or ends, or "".
 *
 * @param {Wire.Event | null} event
 */
export function periodIn(event) {
  return event?.type === "period.began" || event?.type === "period.ended" ? event.kind : "";
}
