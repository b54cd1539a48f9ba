export default async (texts) => {
  const { hmac, sha256, toHex } = await import("/sha256.js");
  const bytes = (text) => new TextEncoder().encode(text);
  return texts.map((
    [key, text],
  ) => [toHex(sha256(bytes(text))), toHex(hmac(bytes(key), bytes(text)))]);
};
