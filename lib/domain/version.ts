/** Version numbers: three dot-separated numbers, such as `1.4.0`. */
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { Problem } from "@/lib/contract/problem";

export type VersionParts = readonly [number, number, number];

const LARGEST_PART = 999_999;

/** Undefined unless `text` is three numbers without leading zeros, each at most 999999. */
export function parseVersion(text: string): VersionParts | undefined {
  const match = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** Below 0 when `a` is the older one. Throws `BAD_MANIFEST` when either is no version. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

/** What publishing does (contract, section 9): the second number goes up by one, the third to 0. */
export function bumpVersion(text: string): string {
  const [first, second] = partsOf(text);
  if (second >= LARGEST_PART) {
    throw new Problem(
      "BAD_MANIFEST",
      `Version ${text} cannot go up: raise its first number by hand, such as ${first + 1}.0.0.`,
    );
  }
  return `${first}.${second + 1}.0`;
}

/** The version that a manifest's source text names; undefined when it names none or is broken. */
export function manifestVersion(text: string): string | undefined {
  const value: unknown = versionNode(text)?.value;
  return typeof value === "string" ? value : undefined;
}

/** Writes another version into a manifest's source text and leaves every other character as it is. */
export function setManifestVersion(text: string, version: string): string {
  const node = versionNode(text);
  if (node === undefined)
    throw new Problem("BAD_MANIFEST", 'The manifest has no "version": add one, such as "1.0.0".');
  return text.slice(0, node.offset) + JSON.stringify(version) + text.slice(node.offset + node.length);
}

function versionNode(text: string) {
  const tree = parseTree(text);
  return tree === undefined ? undefined : findNodeAtLocation(tree, ["version"]);
}

function partsOf(text: string): VersionParts {
  const parts = parseVersion(text);
  if (parts === undefined) {
    throw new Problem(
      "BAD_MANIFEST",
      `"${text.slice(0, 40)}" is no version: write three numbers, such as "1.0.0".`,
    );
  }
  return parts;
}
