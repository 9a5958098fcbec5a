/** From source text to a value: everything that JSON alone can get wrong. */
import { MANIFEST_LIMITS } from "@/lib/contract/manifest";
import type { Finding } from "./finding";
import { inspectSource } from "./inspect-source";
import { scanSource, tooDeepAt } from "./scan-source";
import { syntaxFindings } from "./syntax-findings";

export type Source =
  { isJson: true; findings: Finding[]; value: unknown } | { isJson: false; findings: Finding[] };

export function parseSource(text: string): Source {
  if (isTooLarge(text)) {
    return refused(
      "TOO_LARGE",
      0,
      "The manifest is larger than 1 MiB.",
      "Keep documents and images out of the manifest.",
    );
  }
  if (text.startsWith("\uFEFF")) {
    return refused(
      "BYTE_ORDER_MARK",
      0,
      "The manifest starts with a byte order mark.",
      "Save the file as UTF-8 without BOM.",
    );
  }
  const { depth, colons } = scanSource(text);
  if (depth > MANIFEST_LIMITS.depth) return explain(text);
  try {
    const value: unknown = JSON.parse(text);
    return { isJson: true, findings: isPlain(text, value, colons) ? [] : inspectSource(text), value };
  } catch {
    return explain(text);
  }
}

export function isTooLarge(text: string): boolean {
  const { bytes } = MANIFEST_LIMITS;
  // A UTF-16 unit is at most 3 bytes of UTF-8.
  if (text.length * 3 <= bytes) return false;
  if (text.length > bytes) return true;
  room ??= new Uint8Array(bytes);
  return new TextEncoder().encodeInto(text, room).read < text.length;
}

/** Kept, since a keystroke asks how large its text is, and a fresh megabyte each time costs more than the answer. */
let room: Uint8Array<ArrayBuffer> | undefined;

/** Without keys that are there twice, keys that objects inherit, and characters that the database cannot hold. */
function isPlain(text: string, value: unknown, colons: number): boolean {
  if (text.includes("__proto__") || text.includes("\\u") || /\p{Surrogate}/u.test(text)) return false;
  return countMembers(value) === colons;
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  const members = value as Record<string, unknown>; // what JSON.parse makes holds no key that is not its own
  for (const key in members) count += 1 + countMembers(members[key]);
  return count;
}

/** Of what is no JSON, or may be too deep to be parsed at all. */
function explain(text: string): Source {
  const deep = tooDeepAt(text, MANIFEST_LIMITS.depth);
  if (deep !== undefined) {
    const message = `The manifest nests deeper than ${MANIFEST_LIMITS.depth} levels.`;
    return refused("TOO_DEEP", deep, message, "Flatten it here.");
  }
  const findings = syntaxFindings(text);
  if (findings.length > 0) return { isJson: false, findings };
  return refused(
    "BROKEN_JSON",
    0,
    "The manifest is no JSON.",
    "Remove what JSON does not know, such as special blanks.",
  );
}

function refused(code: string, offset: number, message: string, hint: string): Source {
  return { isJson: false, findings: [{ code, path: [], offset, message, hint }] };
}
