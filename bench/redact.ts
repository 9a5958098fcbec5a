/**
 * How long a megabyte of an app's log takes to search for secrets, compared with `indexOf` for each secret: plain text, and text in
 * which much is escaped.
 *
 *     npm run bench:redact [-- --secrets 100 --rounds 7]
 */
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { createMarkFinder } from "@/lib/server/platform/redaction/redact-secrets";
import { median, medianRatio, printFigure } from "./measure";

const { values } = parseArgs({
  options: { secrets: { type: "string", default: "100" }, rounds: { type: "string", default: "7" } },
});

/** What is searched at once. */
const BLOCK = 64 * 1024;
const MEGABYTE = 1024 * 1024;

const LINE =
  '2026-11-28T10:00:00Z INFO rated policy 4711 for "Main street 1": premium 128.50 EUR in 12 ms, host core.example';
const PLAIN = [LINE, LINE.replaceAll('"', "'")].join(" ");
const ESCAPED = [
  JSON.stringify(JSON.stringify({ message: LINE, query: "a<b & c>d" })),
  encodeURIComponent(LINE),
  LINE.replaceAll('"', "&quot;").replaceAll(" ", "&nbsp;"),
].join(" ");

const secrets = Array.from({ length: Number(values.secrets) }, (_, index) => ({
  name: `s${index}`,
  value: `${randomBytes(24).toString("base64url")}<&+='${index}`,
}));
const find = createMarkFinder(secrets);
const texts = { plain: fill(PLAIN), escaped: fill(ESCAPED) };

for (const [kind, text] of Object.entries(texts)) {
  const searched: number[] = [];
  const compared: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    searched.push(perMegabyte(() => find(text).length));
    compared.push(perMegabyte(() => secrets.filter(({ value }) => text.includes(value)).length));
  }
  printFigure(`redact_ms_per_mb_${kind}`, median(searched), "ms");
  printFigure(`redact_ratio_to_indexof_${kind}`, medianRatio(searched, compared), "x");
}

function fill(line: string): string {
  return line.repeat(Math.ceil(BLOCK / line.length)).slice(0, BLOCK);
}

/** Milliseconds for as many blocks as a megabyte has. */
function perMegabyte(search: () => number): number {
  const startedAt = performance.now();
  for (let at = 0; at < MEGABYTE; at += BLOCK) search();
  return performance.now() - startedAt;
}
