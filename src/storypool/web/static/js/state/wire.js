/** Requests to the server, and the one shape of their errors. */

import { say } from "./words.js";

/**
 * A refusal by the server, or a failed request: `refusal` has code, text, remedy, rule, field,
 * overridable.
 */
export class Trouble extends Error {
  constructor(status, refusal) {
    super(refusal.text);
    this.status = status;
    this.refusal = { rule: "", remedy: "", field: "", overridable: false, ...refusal };
  }

  /**
   * Whether it is unknown what became of the request, so that it may be sent again with its token.
   */
  get unanswered() {
    return this.status === 0 || this.refusal.code === "unreachable";
  }

  /**
   * Whether the same request may be answered in a moment: there was no answer, or the server had no
   * time.
   */
  get passing() {
    return this.unanswered || this.status === 429 || this.status === 503;
  }
}

/**
 * What went wrong in a request; an error of another kind is thrown again.
 *
 * @param {unknown} error
 */
export function troubleIn(error) {
  if (error instanceof Trouble) return error;
  throw error;
}

/**
 * Return the server's answer: data, a text, or a picture as a file. A body is sent as JSON, a file
 * as it is. Throws `Trouble`.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {{ signal?: AbortSignal }} [how]
 * @returns {Promise<any>} what the interface describes for this path
 */
export async function call(method, path, body, { signal } = {}) {
  /** @type {RequestInit & { headers: Record<string, string> }} */
  const asked = {
    method,
    signal,
    headers: { accept: "application/json" },
    credentials: "same-origin",
    cache: "no-store",
  };
  if (body instanceof Blob) {
    asked.body = body;
  } else if (body !== undefined) {
    asked.headers["content-type"] = "application/json";
    asked.body = JSON.stringify(body);
  }
  let answer, data;
  try {
    answer = await fetch(path, asked);
    const kind = answer.headers.get("content-type") ?? "";
    if (kind.includes("json")) data = await answer.json();
    else data = await (kind.startsWith("image/") ? answer.blob() : answer.text());
  } catch (error) {
    // Aborted, or the connection broke: it is unknown whether the server got the request.
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unanswered();
  }
  if (answer.ok) return data;
  // A proxy answers for a server that did not answer it.
  if (answer.status >= 500 && !data?.error) throw unanswered();
  throw new Trouble(
    answer.status,
    data?.error ?? { code: "odd", text: say("wire.odd", { status: answer.status }) },
  );
}

/**
 * A function that loads a module once, by `import` of its address with `again`. It throws `Trouble`
 * when the module does not come. A browser remembers that for an address, so the next try has
 * another one.
 */
export function later(load) {
  let tries = 0;
  return async () => {
    try {
      return await load(tries ? `?${tries}` : "");
    } catch {
      tries += 1;
      throw unanswered();
    }
  };
}

/** The trouble of a request that got no answer. */
export function unanswered() {
  return new Trouble(0, {
    code: "offline",
    text: say("wire.unanswered"),
    remedy: say("wire.unanswered.remedy"),
  });
}

/** Return a unique token, one for each command. Works without a secure context. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the address of an endpoint of a table. */
export function at(tableId, ...parts) {
  return ["/api/tables", encodeURIComponent(tableId), ...parts.map(encodeURIComponent)].join("/");
}

/** An address with a language for the answer; without one, it comes in the server's default. */
export function inLanguage(path, language = "") {
  return language
    ? `${path}${path.includes("?") ? "&" : "?"}language=${encodeURIComponent(language)}`
    : path;
}
