export default async (cases) => {
  const { folding } = await import(document.querySelector("script[type=module]").src);
  const functions = {
    alike: folding.alike,
    folded: folding.folded,
    search_words: folding.searchWords,
  };
  const answers = (name) => Object.keys(cases[name]).map((text) => [text, functions[name](text)]);
  return Object.fromEntries(
    Object.keys(cases).map((name) => [name, Object.fromEntries(answers(name))]),
  );
};
