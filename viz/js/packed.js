// The encoding of packed text, see pack.go: deflated, then 13 bits in two of 91 characters.

/**
 * bytesOf decodes packed text to the deflated bytes.
 * @param {string} packed
 */
export function bytesOf(packed) {
  const out = new Uint8Array(Math.floor((Math.floor(packed.length / 2) * 13 + (packed.length % 2) * 6) / 8));
  /** @param {number} k */
  const digit = (k) => {
    const c = packed.charCodeAt(k);
    return c - 32 - +(c > 34) - +(c > 39) - +(c > 60) - +(c > 92);
  };
  for (let k = 0, at = 0, acc = 0, n = 0; k < packed.length; k += 2) {
    acc |= (k + 1 < packed.length ? digit(k) + 91 * digit(k + 1) : digit(k)) << n;
    for (n += k + 1 < packed.length ? 13 : 6; n >= 8; n -= 8) {
      out[at++] = acc;
      acc >>= 8;
    }
  }
  return out;
}

/**
 * charactersOf is the inverse of bytesOf. The build uses it to pack scripts. Go packs data.
 * @param {Uint8Array} bytes
 */
export function charactersOf(bytes) {
  const digits = Array.from({ length: 95 }, (_, k) => String.fromCharCode(32 + k)).filter(
    (c) => !"\"'<\\".includes(c),
  );
  let out = "";
  let acc = 0;
  let n = 0;
  for (const b of bytes) {
    acc |= b << n;
    n += 8;
    if (n < 13) continue;
    const v = acc & 8191;
    out += digits[v % 91] + digits[Math.floor(v / 91)];
    acc >>= 13;
    n -= 13;
  }
  if (n > 0) out += digits[acc % 91];
  if (n > 6) out += digits[Math.floor(acc / 91)];
  return out;
}

/**
 * unpack returns the unpacked text. It fails if the text has more than `most` bytes.
 * @param {string} packed @param {number} [most] @returns {Promise<string>}
 */
export async function unpack(packed, most = Number.POSITIVE_INFINITY) {
  const inflated = new Response(bytesOf(packed)).body?.pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = /** @type {ReadableStream<Uint8Array>} */ (inflated).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > most) {
      reader.cancel();
      throw new Error("its data are too long");
    }
    text += decoder.decode(value, { stream: true });
  }
}
