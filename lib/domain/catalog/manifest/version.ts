/** Version numbers: three dot-separated numbers, such as `1.4.0`. */
import { parseJson, Problem } from "@/lib/contract/platform/problem";
import { childAt, type JsonChild, readContainer, skipSpace } from "../../platform/json-text/json-source";

export type VersionParts = readonly [number, number, number];

/** The largest number of 15 digits, which JavaScript still counts exactly. Room for a date such as 20240611. */
const LARGEST_PART = 999_999_999_999_999;

/** Undefined unless `text` is three numbers without leading zeros, each of up to 15 digits. */
export function parseVersion(text: string): VersionParts | undefined {
  const match = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})$/.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Below 0 if `a` is older. Throws `BAD_MANIFEST` if either is not a valid version. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [requireVersion(a), requireVersion(b)];
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

/** The version after publishing (contract, section 9): the second number goes up by one, the third to 0. */
export function bumpVersion(text: string): string {
  const [first, second] = requireVersion(text);
  if (second >= LARGEST_PART) {
    throw new Problem(
      "BAD_MANIFEST",
      `Version ${text} can't be increased automatically. Increase its first number yourself, such as ${first + 1}.0.0.`,
    );
  }
  return `${first}.${second + 1}.0`;
}

/**
 * The number of the next publication: above every number in use, whether in the working folder, in the image, in the
 * draft or published. Numbers that aren't valid don't count.
 */
export function nextVersion(inUse: readonly (string | undefined)[]): string {
  const valid = inUse.filter(
    (text): text is string => text !== undefined && parseVersion(text) !== undefined,
  );
  return bumpVersion(valid.sort(compareVersions).at(-1) ?? "0.0.0");
}

/** The version in a manifest's source text; undefined if it has none or is invalid. */
export function manifestVersion(text: string): string | undefined {
  const member = findVersion(text);
  const value = member && parseJson(text.slice(member.start, member.end));
  return typeof value === "string" ? value : undefined;
}

/** Replaces the version in a manifest's source text and leaves every other character as it is. */
export function setManifestVersion(text: string, version: string): string {
  const member = findVersion(text);
  if (member === undefined)
    throw new Problem("BAD_MANIFEST", 'The manifest has no "version". Add one, such as "1.0.0".');
  return text.slice(0, member.start) + JSON.stringify(version) + text.slice(member.end);
}

/** The text as if it had no version yet: what two manifests share that differ only in their number. */
export function withoutVersion(text: string): string {
  return manifestVersion(text) === undefined ? text : setManifestVersion(text, "");
}

/** Reads one level only: a text of any depth gets here before it is checked. */
function findVersion(text: string): JsonChild | undefined {
  try {
    return childAt(readContainer(text, skipSpace(text, 0)), "version");
  } catch {
    return undefined; // Not valid JSON, as the check will say.
  }
}

function requireVersion(text: string): VersionParts {
  const parts = parseVersion(text);
  if (parts === undefined) {
    throw new Problem(
      "BAD_MANIFEST",
      `"${text.slice(0, 40)}" is not a valid version. Use three numbers, such as "1.0.0".`,
    );
  }
  return parts;
}
