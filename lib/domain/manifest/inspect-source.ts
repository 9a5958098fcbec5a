/** What a value no longer tells of its source: keys that are there twice, and where odd keys and characters are. */
import type { Finding, Path } from "./finding";
import { readContainer, skipSpace } from "./json-source";

/** Of a text that is JSON, and no deeper than a manifest may be. */
export function inspectSource(text: string): Finding[] {
  const findings: Finding[] = [];
  inspect(text, skipSpace(text, 0), undefined, [], findings);
  return findings;
}

function inspect(
  text: string,
  start: number,
  end: number | undefined,
  path: Path,
  findings: Finding[],
): void {
  if (text[start] === '"') {
    inspectString(JSON.parse(text.slice(start, end)), path, start, findings);
    return;
  }
  const seen = new Set<string>();
  readContainer(text, start)?.children.forEach((child, index) => {
    const { key } = child;
    const at = [...path, key ?? index];
    if (key !== undefined) {
      findings.push(...keyFindings(key, seen.has(key), at, child.from));
      seen.add(key);
      inspectString(key, at, child.from, findings);
    }
    inspect(text, child.start, child.end, at, findings);
  });
}

function keyFindings(key: string, isSecond: boolean, path: Path, offset: number): Finding[] {
  const findings: Finding[] = [];
  if (isSecond) {
    const message = `"${key}" is there twice.`;
    findings.push({ code: "DUPLICATE_KEY", path, offset, message, hint: "Keep one of them." });
  }
  if (key === "__proto__") {
    const message = '"__proto__" cannot be a key.';
    findings.push({ code: "RESERVED_KEY", path, offset, message, hint: "Rename it." });
  }
  return findings;
}

function inspectString(value: unknown, path: Path, offset: number, findings: Finding[]): void {
  if (typeof value !== "string" || !/\0|\p{Surrogate}/u.test(value)) return;
  const message = "A NUL character or half of a surrogate pair is in this string.";
  findings.push({ code: "BAD_CHARACTER", path, offset, message, hint: "Remove it." });
}
