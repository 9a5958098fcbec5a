import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { printOutput } from "./part";

const key = `psk_${randomBytes(96).toString("base64url")}`;

async function printInChunks(text: string, size: number): Promise<string> {
  const output = new PassThrough();
  const printed: string[] = [];
  printOutput(output, (part) => printed.push(part));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) output.write(bytes.subarray(at, at + size));
  output.end();
  await new Promise((resolve) => output.once("close", resolve));
  return printed.join("");
}

// Guarantee (P3): wherever the operating system cuts the output of a part, no state key reaches the terminal.
test("a key is redacted across any chunk border", async () => {
  const text = `first é\nkey ${key} of a call\nlast, without a line break ${key}`;
  for (let size = 1; size < 200; size += 1)
    expect(await printInChunks(text, size), `${size} bytes`).toBe(
      "first é\nkey [state key] of a call\nlast, without a line break [state key]",
    );
});

test("a line that never ends is printed in parts, without the keys in it", async () => {
  const filler = "word ".repeat(4_000);
  const text = `${filler}${key} `.repeat(12);
  expect(await printInChunks(text, 16_384)).toBe(`${filler}[state key] `.repeat(12));
});
