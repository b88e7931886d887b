// Helpers of tests.
import { charactersOf } from "./packed.js";

/**
 * deflated returns packed text, like Go's pack.
 * @param {BodyInit} text
 */
export async function deflated(text) {
  const stream = /** @type {ReadableStream<BufferSource>} */ (
    /** @type {unknown} */ (new Response(text).body)
  );
  const bytes = await new Response(stream.pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  return charactersOf(new Uint8Array(bytes));
}
