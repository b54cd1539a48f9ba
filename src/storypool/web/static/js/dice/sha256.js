/**
 * SHA-256 and HMAC-SHA256. Browsers have their own in secure contexts alone, and most tables are on
 * a local network.
 */

const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p)) primes.push(n);

/** The first 32 bits of the fractional part of a root. */
const part = (root) => Math.floor((root % 1) * 2 ** 32) >>> 0;
const ROUNDS = primes.map((p) => part(Math.cbrt(p)));
const START = primes.slice(0, 8).map((p) => part(Math.sqrt(p)));
const BLOCK = 64;

const turned = (x, n) => (x >>> n) | (x << (32 - n));

/** Return the SHA-256 of bytes, as 32 bytes. */
export function sha256(bytes) {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(whole.length - 4, bytes.length << 3);
  const state = [...START];
  const words = new Uint32Array(64);
  for (let at = 0; at < whole.length; at += BLOCK) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const [x, y] = [words[i - 15], words[i - 2]];
      words[i] = words[i - 16] + words[i - 7] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) +
        (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const one =
        (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] +
          words[i]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) |
        0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => {
      state[i] = (state[i] + x) | 0;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((x, i) => out.setUint32(4 * i, x));
  return new Uint8Array(out.buffer);
}

/** Return the HMAC-SHA256 of bytes under a key of at most 64 bytes, as 32 bytes. */
export function hmac(key, bytes) {
  const padded = (pad) => Uint8Array.from({ length: BLOCK }, (_, i) => (key[i] ?? 0) ^ pad);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), bytes))));
}

function joined(one, other) {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Bytes as hexadecimal digits. */
export const toHex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Bytes from hexadecimal digits. */
export const fromHex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
