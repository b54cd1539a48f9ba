/**
 * The game as data: its panels, and the moves that they and the table show. The page itself knows
 * no game.
 */

import { computed } from "../../vendor/preact.js";
import {
  byKey,
  check,
  game,
  isPlaced,
  leads,
  me,
  offers,
  records,
  table,
  the,
  waits,
} from "./store.js";
import { eventOf } from "./record-events.js";
import { say } from "./words.js";

const panels = computed(() => game.value?.panels ?? []);

/**
 * The panels of one kind.
 *
 * @template {keyof Wire.Binds} Kind
 * @param {Kind} kind
 * @returns {Wire.Panel<Kind>[]}
 */
export function panelsOf(kind) {
  /** @type {(panel: Wire.PanelShown) => panel is Wire.Panel<Kind>} */
  const isOfKind = (panel) => panel.kind === kind;
  return panels.value.filter(isOfKind);
}

/** How many of these points there can be, of a character or of the table, or undefined. */
export const mostOf = ({ name, most }, owner) =>
  the(table).caps[owner ? `${owner}.${name}` : name] ?? most ?? undefined;

/** Moves about the action that the page itself places beside it. */
const BESIDE = new Set(["check.agree", "check.reveal"]);

/** @param {"actions" | "menu" | "primary"} kind */
const moves = (kind) => panelsOf(kind).flatMap((panel) => panel.binds.moves ?? []);

/** Offers that no panel shows and that have no other place, without those whose time is not now. */
export const otherOffers = computed(() => {
  const bound = new Set(panels.value.flatMap((panel) => Object.values(panel.binds ?? {}).flat()));
  return offers.value.filter((offer) =>
    !bound.has(offer.key) && !isPlaced(offer.key) && !BESIDE.has(offer.key) && !isUntimely(offer)
  );
});

/** Whether the open action is this seat's own. */
export const isOwnAction = computed(() => {
  const action = check.value;
  if (!action) return false;
  return action.side === "gm"
    ? me.value?.side === "gm"
    : plays(the(table).characters[action.actor]);
});

/**
 * Whether a move opens another action beside the one in sight: only such a move asks whether what
 * it opens is hidden.
 */
export function opensBeside(offer) {
  return Boolean(check.value) && isAskedFor(offer, "secret");
}

/** Whether the form of an offer asks this question. */
export const isAskedFor = (offer, name) =>
  offer.asks ? offer.asks.some((ask) => ask.name === name) : offer.asked.includes(name);

/** What the game master has not agreed to yet in the open action, in words, or "". */
export const suggestion = computed(() => Object.values(check.value?.suggested ?? {}).join(", "));

/** The game master's offer to agree to what is suggested, or null. */
export const agreeOffer = computed(() => {
  const offer = suggestion.value ? byKey.value["check.agree"] : null;
  if (!offer || offer.closed) return null;
  const several = Object.keys(the(check).suggested).length > 1;
  return {
    ...offer,
    title: several ? say("suggested.all") : say("suggested.agree", { what: suggestion.value }),
  };
});

/**
 * The game master's offer to decide otherwise: the one that asks most of what is suggested, or
 * null.
 */
export const decideOffer = computed(() => {
  if (!agreeOffer.value) return null;
  const decided = (offer) =>
    offer.asks?.filter((ask) => ask.decides && ask.name in the(check).suggested).length ?? 0;
  // What is decided beforehand is for the next action.
  const here = (offer) =>
    !offer.closed && !opensBeside(offer) && offer.key !== "check.standing" && decided(offer) > 0;
  return offers.value.filter(here).sort((a, b) => decided(b) - decided(a))[0] ?? null;
});

/** What was answered to the questions that are suggested, for those that this offer asks too. */
export function suggestedTo(offer) {
  const log = records.value;
  const opened = log.findLastIndex(({ event }) =>
    event?.type === "check.opened" && event.check.id === the(check).id
  );
  const made = log.slice(0, opened + 1).findLast(({ event }) => event?.type === "move.made");
  const given = eventOf(made, "move.made")?.args ?? {};
  const fits = (ask, value) =>
    ask.kind !== "choice" || ask.choices.some((choice) => choice.value === value && !choice.closed);
  const asks = offer.asks.filter((ask) =>
    ask.name in the(check).suggested && fits(ask, given[ask.name])
  );
  return Object.fromEntries(asks.map((ask) => [ask.name, given[ask.name]]));
}

/**
 * What is asked of this seat about the action in sight, or of it at all; else what the table waits
 * for; or null. What this seat proposed for that action comes first: its own next step could make
 * the proposal lapse.
 */
export const currentWait = computed(() => {
  const near = waits.value.filter((one) => !one.check || one.check === check.value?.id);
  const ours = (one) => one.yours;
  const proposed = (one) =>
    one.id === "proposal" && one.check && the(table).proposals[one.args.id]?.seat === me.value?.id;
  return near.find(proposed) ?? near.find(ours) ?? waits.value.find(ours) ?? near[0] ??
    waits.value[0] ?? null;
});

/** Whether the table waits for this seat. */
export const isAsked = computed(() => Boolean(currentWait.value?.yours));

/** The proposal that the dock answers, or null: one about the action in sight, or about none. */
export const askedProposal = computed(() => {
  const { id, check: about, args } = currentWait.value ?? {};
  const here = !about || !check.value || about === check.value.id;
  return isAsked.value && id === "proposal" && here
    ? (the(table).proposals[args.id] ?? null)
    : null;
});

/**
 * Whether the table waits for others, and not for this seat: what it may do is no next step then.
 */
export const othersAreAsked = computed(() => Boolean(currentWait.value) && !isAsked.value);

/**
 * The offers that answer a wait, the usual one first, without those whose choices stand as rows in
 * a menu. What a roll can buy comes after what is not bought: to go on is the next step, and each
 * purchase a choice beside it.
 */
export function answersOf(wait) {
  const found = wait.moves.map((key) =>
    (key === "check.agree" && agreeOffer.value) || proposalAnswer(wait, key) || byKey.value[key]
  );
  const open = found.filter((offer) => offer && !offer.closed && !offer.empty && !isInMenu(offer));
  return open.sort((one, other) =>
    Number(isOutsideMenus(other.key)) - Number(isOutsideMenus(one.key))
  );
}

/**
 * The offer to agree to a proposal or to say no, in one word beside the sentence that describes it;
 * or null.
 */
function proposalAnswer(wait, key) {
  if (wait.id !== "proposal" || !byKey.value[key]) return null;
  return {
    ...byKey.value[key],
    title: say(
      ["proposal.accept", "consent.give"].includes(key) ? "proposal.accept" : "proposal.decline",
    ),
  };
}

/** Whether the choices of a move stand as rows in a menu. */
const isInMenu = (offer) => !isOutsideMenus(offer.key) && Boolean(offer.rows);

/**
 * What this seat may begin while nothing is asked of it and nothing is going on: the first in the
 * game's order, or null.
 */
const freeOffer = computed(() => {
  if (isAsked.value || check.value) return null;
  return moves("primary").map((key) => byKey.value[key]).find((offer) =>
    offer && !offer.closed && !offer.empty
  ) ?? null;
});

/**
 * The main button: the first answer to what is asked of this seat, or what it may begin; or null.
 */
export const primaryOffer = computed(() =>
  isAsked.value ? answersOf(currentWait.value)[0] ?? null : freeOffer.value
);

/**
 * The answer that comes before a roll of real dice while others may still decide about it, or
 * undefined: its button is the one for real dice.
 */
export const beforeRealDice = computed(() => {
  const [panel] = panelsOf("primary");
  return isAsked.value && isOwnAction.value
    ? answersOf(currentWait.value).slice(1).find(({ key }) => key === panel?.binds.real)
    : undefined;
});

/** The further answers that have a price: they stand above the main button, with their effect. */
export const pricedAnswers = computed(() => {
  if (!isAsked.value) return [];
  const [main, ...more] = answersOf(currentWait.value);
  const first = main?.key === "check.roll"
    ? panelsOf("actions").flatMap(({ binds }) => shownOf({ binds: { moves: binds.first } }))
    : [];
  return [...more.filter(atOnce), ...first.filter(({ closed }) => !closed)].filter((offer) =>
    Object.keys(offer.price).length > 0
  ).slice(0, 2);
});

/** The moves that stand in the dock with the main button because it is one of them. */
export const besides = computed(() => {
  const keys = panelsOf("primary").flatMap(({ binds }) => binds.beside ?? []);
  const key = primaryOffer.value?.key ?? "";
  return keys.includes(key) ? keys.filter((one) => one !== key) : [];
});

/** The further answers that stand beside the main button, or what else could begin. */
export const furtherAnswers = computed(() => {
  const beside = besides.value.map((key) => byKey.value[key]).filter((offer) =>
    offer && !offer.closed && !offer.empty
  );
  if (!isAsked.value) return beside;
  const others = answersOf(currentWait.value).slice(1).filter((offer) =>
    !pricedAnswers.value.includes(offer) && offer !== beforeRealDice.value &&
    !besides.value.includes(offer.key)
  );
  return [...beside, ...others.slice(0, 2)];
});

/**
 * What goes on with the evening, for a game master of whom nothing is asked: in a fight its turns
 * and its end, else the scene or the session.
 */
export const eveningSteps = computed(() => {
  if (isAsked.value || (currentWait.value && !primaryOffer.value) || !leads.value) {
    return [];
  }
  const order = panelsOf("slots").flatMap((panel) => panel.binds.moves ?? []);
  const open = (keys) =>
    keys.map((key) => byKey.value[key]).filter((offer) => offer && !offer.closed);
  const turns = the(table).running.includes("round") ? open(order) : [];
  return turns.length ? turns : open(["scene.begin", "session.end"]);
});

/** The keys of the moves that stand in the dock, and so nowhere else. */
export const dockedKeys = computed(() => {
  const offers = [
    primaryOffer.value,
    ...pricedAnswers.value,
    ...furtherAnswers.value,
    beforeRealDice.value,
    ...eveningSteps.value,
    decideOffer.value,
  ].filter(Boolean);
  return new Set([
    ...offers.map((offer) => offer.key),
    ...BESIDE,
    ...(agreeOffer.value ? ["check.cancel"] : []),
  ]);
});

/** The open moves whose choices stand as rows in a menu and answer what is asked of this seat. */
export const menuOffers = computed(() => {
  const found = isAsked.value ? currentWait.value.moves.map((key) => byKey.value[key]) : [];
  return found.filter((offer) =>
    offer && !offer.closed && isInMenu(offer) &&
    offer.rows?.choices.some((choice) => !choice.closed)
  );
});

/** Whether a move is in no menu of a roll: moves of a menu are shown there, and only there. */
export const isOutsideMenus = (key) => !moves("menu").includes(key);

/** The buttons beside the action, in the game's order, without the primary one. */
export const actions = computed(() => {
  const keys = new Set([...moves("actions"), ...moves("primary")].filter(isOutsideMenus));
  const listed = [...keys].map((key) => byKey.value[key]).filter(Boolean);
  const shown = listed.filter((offer) => !dockedKeys.value.has(offer.key) && !isUntimely(offer));
  return [...shown.filter((offer) => !offer.closed), ...shown.filter((offer) => offer.closed)];
});

/** Whether a move is closed only because it is not its time, which is not worth showing. */
function isUntimely(offer) {
  return offer.closed?.code === "when" || offer.closed?.code === "identity";
}

/** The offers that a panel shows, without those whose time is not now. */
export function shownOf(panel) {
  const keys = (panel.binds.moves ?? []).filter((key) => !BESIDE.has(key));
  return keys.map((key) => byKey.value[key]).filter((offer) => offer && !isUntimely(offer));
}

/**
 * The moves that can begin with a thing: those that the panel names as "move ask" and whose
 * question has its id or its text as an answer.
 */
export function starts(named, one) {
  return (named ?? []).flatMap((pair) => {
    const [key, ask] = pair.split(" ");
    const offer = shownOf({ binds: { moves: [key] } })[0];
    const answer = [one.id, one.text].find((value) => offer?.among?.[ask]?.includes(value));
    return answer ? [{ offer, given: { [ask]: answer } }] : [];
  });
}

/** The first of them that is open. */
export const startWith = (named, one) => starts(named, one).find(({ offer }) => !offer.closed);

/** Whether a move can be made with one tap: it asks nothing, or only for the faces of real dice. */
export const atOnce = (offer) => !offer.asked.length;

/** Whether the form of a move opens: something is left to ask, or it ends what others are in. */
export const opensForm = (offer, given) =>
  Boolean(offer.ends) || offer.asked.some((name) => !(name in given));

/** Who has to agree to a move in place of the game master, for a sentence about that. */
export const consenting = (offer) => offer.agrees ? { gm: offer.agrees } : {};

/** The accounts of the table that a side spends, the players' first. */
export const purses = computed(() => {
  const shared = (game.value?.accounts ?? []).filter((account) =>
    account.each === "table" && account.side
  );
  return [...shared].sort((a, b) =>
    (a.side === "players" ? 0 : 1) - (b.side === "players" ? 0 : 1)
  );
});

/** The characters that are still in the story. */
export const people = computed(() =>
  Object.values(table.value?.characters ?? {}).filter((one) => one.side !== "none" || one.seat)
);

/** The kind and the rank of a trait, in the words of its panel. */
export const noteOf = ({ words }, { kind, terms, rating }) =>
  [words[`${kind}.${terms.kind}`], words[`${kind}.rank`]?.replace("{n}", String(rating))]
    .filter(Boolean).join(", ");

/** Whether this table plays a group of the sheet, which a panel may tie to a house rule. */
export function isPlayed(group) {
  const rules = panelsOf("sheet").flatMap(({ binds }) => binds.only ?? []);
  return rules.map((rule) => rule.split(" ")).every(([of, key, value]) => {
    const usual = the(game).options.find((option) => option.key === key)?.default;
    return of !== group || (the(table).options[key] ?? usual) === value;
  });
}

/** The entries of a game master's character that say its rank. */
const ranks = (one) => (one.side === "gm" && panelsOf("sheet")[0]?.binds.rank) || [];

/** Whether an entry of a character is its rank, which has words in place of its number. */
export const isRank = (one, key) => ranks(one).includes(key);

/** The rank of a character in words, as far as this seat reads it. */
export const ranksOf = (one) =>
  ranks(one).filter((key) => one.sheet[key]).map((key) => {
    const { words } = panelsOf("sheet")[0], n = one.sheet[key];
    return words[`${key}.${n}`] ?? words[key]?.replace("{n}", n);
  });

/** The ids of the characters who are out, by what an order of turns counts as that. */
export function idsOut() {
  const kinds = panelsOf("slots").flatMap(({ binds }) => binds.out ?? []);
  return Object.values(the(table).traits).filter(({ kind }) => kinds.includes(kind))
    .map(({ about }) => about);
}

/** Whether this seat plays a character. */
export function plays(character) {
  return Boolean(character?.seat) && character.seat === me.value?.id;
}

/**
 * Whether this seat is a player's, with no character who could be asked for anything, and may add
 * one.
 */
export const playsNobody = computed(() =>
  me.value?.side === "player" && !people.value.some(plays) && Boolean(byKey.value["character.add"])
);

/**
 * Whether a trait is about the whole side of a character, and does not leave out this one: `but`
 * has ids, apart by spaces.
 */
export function isForSide(trait, one) {
  return trait.about === (one.side === "gm" ? "@gm" : "@players") &&
    !(trait.terms?.but ?? "").split(" ").includes(one.id);
}

/** Whether there is an order of turns. */
export const ordered = computed(() =>
  panelsOf("slots").some(({ binds }) =>
    Object.values(table.value?.traits ?? {}).some(({ kind }) => [binds.trait].flat()[0] === kind)
  )
);

/** The kinds of traits that only boards draw: places, positions, and what is going on. */
export function boardKinds() {
  return panelsOf("board").flatMap(({ binds }) => [binds.place, binds.people, binds.state]);
}

/** Whether a session has ended and no other has started. */
export const isOver = () =>
  (table.value?.periods.session ?? 0) > 0 && !the(table).running.includes("session");
