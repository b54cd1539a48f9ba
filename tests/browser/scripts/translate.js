/** What Chrome does, but that the words stay the same. */
export default () => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), all = [];
  while (walk.nextNode()) all.push(walk.currentNode);
  for (const text of all.filter((one) => one.data.trim() && one.parentNode.localName !== "font")) {
    const font = document.createElement("font");
    font.append(document.createElement("font"));
    font.firstChild.textContent = text.data;
    text.replaceWith(font);
  }
};
