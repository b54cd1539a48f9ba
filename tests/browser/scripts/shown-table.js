/** What a page shows, as it put it together from parts. */
export default async () => {
  const { store: { table, offers, waits } } = await import(
    document.querySelector("script[type=module]").src
  );
  const byKey = Object.fromEntries(offers.value.map((one) => [one.key, one]));
  return { table: table.value, offers: byKey, waits: waits.value };
};
