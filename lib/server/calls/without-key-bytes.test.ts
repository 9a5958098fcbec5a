import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutKeyBytes } from "./stream-request";

const KEY = "psk_abcpsk_abd";

async function pass(chunks: readonly string[]): Promise<string> {
  async function* each() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  return (await buffer(withoutKeyBytes(each(), KEY))).toString();
}

// Guarantee: a state key never leaves in an answer, however the app cuts it into chunks; all other bytes stay.
test("every cut of every text is the same as replacing the key in the whole text", async () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom(KEY, "psk_", "psk_abc", "x", ""), fc.string({ maxLength: 5 })), {
      maxLength: 8,
    })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(60), { maxLength: 12 }), async (whole, cuts) => {
      const ends = [...new Set(cuts.map((cut) => Math.min(cut, whole.length)))].sort((a, b) => a - b);
      const chunks = [...ends, whole.length].map((end, at) => whole.slice(ends[at - 1] ?? 0, end));
      expect(await pass(chunks)).toBe(Buffer.from(chunks.join("")).toString().replaceAll(KEY, "[state key]"));
    }),
  );
});

test("a key that arrives byte by byte is removed", async () => {
  expect(await pass([..."a", ...KEY, ..."b"])).toBe("a[state key]b");
});
