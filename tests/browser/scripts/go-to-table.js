/**
 * The page as it is goes to another table, as it does when one is chosen among our tables, and
 * follows it.
 */
export default async ({ table, address, wait }) => {
  const { announcements, route, store } = await import(
    document.querySelector("script[type=module]").src
  );
  await store.learnSession();
  announcements.notices.value = [];
  route.go(address);
  const end = performance.now() + wait;
  const isThere = () =>
    store.here.value?.id === table && store.table.value !== null &&
    document.querySelector(".line[data-live=true]")?.checkVisibility();
  while (!isThere()) {
    if (performance.now() > end) throw new Error(`The page does not come to ${address}.`);
    await new Promise((done) => setTimeout(done, 20));
  }
};
