import places from "./places.js";

/** Remembers what the places say before something happens: it need not be shown once more. */
export default () => {
  globalThis.spoke = places().map((one) => one?.textContent);
};
