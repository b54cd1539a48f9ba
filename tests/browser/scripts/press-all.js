export default async ({ known, whole }) => {
  const script = document.querySelector("script[type=module]");
  if (!script) return { pressed: [], dead: [] };
  const { store } = await import(script.src);
  // What a press changes is drawn within a few frames, however long those take.
  const soon = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 8)));
  const sheets = () => [...document.querySelectorAll("dialog[open]")];
  if (!globalThis.underWay) {
    globalThis.underWay = { n: 0 };
    const own = globalThis.fetch;
    globalThis.fetch = (...all) => {
      underWay.n += 1;
      return own(...all).finally(() => {
        underWay.n -= 1;
      });
    };
  }
  const busy = () =>
    underWay.n > 0 || document.querySelector("[aria-busy=true], [data-old=true], [data-asleep]") ||
    (history.state?.layer ?? 0) !== sheets().length;

  // All that can be read in the window, and what is chosen or filled in there.
  const STATES = ["aria-pressed", "aria-checked", "aria-current", "data-on"];
  const CHANGES = [
    "input, select, textarea, svg, .clamped, .log-entry",
    ...STATES.map((name) => `[${name}]`),
  ].join();
  const sight = () => {
    const out = [location.pathname, sheets().length, document.querySelector(".toasts")?.innerText];
    const look = (one, what) => {
      const face = (one.localName === "input" && one.closest("label")) || one;
      const { left, right, top, bottom } = face.getBoundingClientRect();
      if (
        right - left < 2 || bottom < 8 || top > innerHeight - 8 || right < 8 ||
        left > innerWidth - 8
      ) return;
      const within = (n, most) => Math.min(Math.max(n, 8), most - 8);
      const [x, y] = [
        within((left + right) / 2, innerWidth),
        within((top + bottom) / 2, innerHeight),
      ];
      const over = document.elementFromPoint(x, y);
      if (over && face.contains(over)) out.push(what(bottom - top));
    };
    const place = sheets().at(-1) ?? document.body;
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (data.trim()) look(parentElement, () => data);
    }
    for (const one of place.querySelectorAll(CHANGES)) {
      look(
        one,
        (height) =>
          [
            one.value,
            one.checked,
            one === document.activeElement && !one.matches("svg"),
            one.matches(".clamped") && Math.round(height),
            one.localName === "svg" && one.innerHTML.length,
            ...STATES.map((name) => one.getAttribute(name)),
          ].join(),
      );
    }
    return out.join();
  };

  // Leave out chosen answers, which change nothing, and files, which are chosen outside the page.
  const BUTTONS = "button, summary, [role=button]",
    ANSWERS = "label:is(.pick, .choice, .face-pick)";
  const LEFT = [
    ":disabled",
    "[aria-current]",
    "[aria-pressed=true]",
    ":has(> :checked[type=radio])",
    "input[type=file] + button",
  ].join();
  // What is beside the game is the same at every table.
  const BESIDE = whole ? ":not(*)" : ".side *, .table-head *, .views *, .mine *, .party *";
  const classes = (one) => String(one?.getAttribute("class") ?? "").replaceAll(" ", ".");
  const kind = (one) => {
    const closed = [one, one.querySelector("input")].map((of) =>
      of?.getAttribute("aria-disabled") ?? ""
    ).join("");
    const sheet = one.closest("dialog");
    const key = one.dataset.move ?? one.closest("[data-move]")?.dataset.move;
    const made = key && !closed && (one.closest(".dock") || !store.byKey.value[key]?.asked.length);
    const named = (one.type === "submit" && sheet?.querySelector("h2").textContent) ||
      (made && key);
    const words = one.matches(".button:not(:has(svg))")
      ? one.textContent.replace(/[0-9]+/g, "N")
      : "";
    const region = one.closest("dialog, .dock, .drawer-place, .right, .middle, .side, .table-head");
    const shape = [region, one.parentElement, one].map(classes).join(" > ");
    return named ? `${shape} of ${named}` : [
      innerWidth,
      shape,
      one.dataset.kind,
      one.dataset.tone,
      closed,
      words || one.querySelector("svg")?.innerHTML.length,
    ].filter(Boolean).join(" ");
  };
  // Press buttons that make a move after the others, and those that close a sheet last.
  const ROLE = [
    ".sheet-head *",
    ".form-foot *, .float-actions *",
    "[type=submit], [data-tone=refusal], .form-foot [data-kind=primary]",
    ":is(.dock, .toast, .tracks, .proposal, .slots, .seat-row, .otherwise, .traits) *, " +
    ".menu-row, .box-button",
  ];
  const rank = (one) => [5, 4, 3, 2].find((_, n) => one.matches(ROLE[[0, 2, 1, 3][n]])) ?? 1;
  const found = new Set(JSON.parse(known));
  const next = () => {
    const place = sheets().at(-1) ?? document.body;
    const all = [
      ...place.querySelectorAll(place === document.body ? BUTTONS : `${BUTTONS}, ${ANSWERS}`),
    ];
    const pressable = all.filter((one) =>
      !one.matches(LEFT) && !one.matches(BESIDE) &&
      (one.getAttribute("aria-disabled") !== "true" || one.hasAttribute("aria-expanded")) &&
      one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 2 &&
      !found.has(kind(one))
    );
    return pressable.sort((one, other) => rank(one) - rank(other))[0];
  };
  const press = async (one) => {
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    // As with a finger, a focused line of the log loses the focus, and gets it back when shown.
    if (document.activeElement.matches(".log-entry")) document.activeElement.blur();
    const before = sight(), isOpen = one.ariaExpanded === "true";
    one.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    one.click();
    for (let n = 0; n < 30 || busy(); n += 1) {
      await soon();
      // What is folded away may have been below the window: then its sign alone turns.
      if (sight() !== before || (isOpen && one.ariaExpanded === "false")) return true;
    }
    return false;
  };

  const path = location.pathname, begun = store.table.value?.seq ?? 0;
  const rolled = () =>
    store.records.value.some(({ seq, event }) => seq > begun && event?.type === "dice.rolled");
  const pressed = [], dead = [];
  for (;;) {
    for (let n = 0; n < 3000 && (!n || busy()); n += 1) await soon();
    // From here on it is another table, or what chance has made of this one.
    if (location.pathname !== path || rolled()) break;
    const one = next(), close = sheets().at(-1)?.querySelector(".sheet-head button");
    if (!one && !close) break;
    if (!one) {
      close.click();
      continue;
    }
    const what = kind(one),
      words = (one.getAttribute("aria-label") ?? one.textContent).slice(0, 60);
    const title = sheets().at(-1)?.querySelector("h2").textContent ?? "";
    found.add(what);
    pressed.push(what);
    if (!(await press(one))) dead.push(`${what}: ${words} (${title})`);
  }
  return { pressed, dead };
};
