export default async () => {
  document.querySelector("#primary").click();
  for (let n = 0; n < 999 && !document.querySelector("dialog[open] h2"); n++) {
    await Promise.resolve();
  }
  const opened = document.activeElement.localName;
  const field = document.querySelector("dialog[open] input");
  field.focus();
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done, 150));
  return [opened, document.activeElement === field];
};
