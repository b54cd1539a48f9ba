import places from "./places.js";

/** Remembers what the places say before something happens: it need not be shown once more. */
export default async () => {
  const { store } = await import(document.querySelector("script[type=module]").src);
  globalThis.spoke = places().map((one) => one?.textContent);
  globalThis.spoke.seq = store.table.value?.seq ?? 0;
};
