/** What the page says of so many, by a sentence that counts and by the word of a look. */
export default async (numbers) => {
  const { words: { say }, looks: { counted } } = await import(
    document.querySelector("script[type=module]").src
  );
  return numbers.map((n) => [say("left.of", { n, word: "x" }), counted(n, "light")]);
};
