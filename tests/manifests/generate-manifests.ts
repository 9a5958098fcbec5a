/** Source texts of manifests, good and bad, as publishers and their tools write them. The same seed gives the same texts. */
import fc from "fast-check";
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { HOSTILE_MANIFESTS, VALID_MANIFEST } from "./hostile-manifests";
import { anyManifest, anyManifestText, textOf, unknownMembers } from "./manifest-arbitrary";
import { DEFECTS, DEFECTS_OF_TEXT, SOUND_MANIFEST, withDefect } from "./manifest-defects";

const anyDefect = fc.constantFrom(...DEFECTS).map(([, place, value]) => withDefect(place, value));

/** What one defect replaces at the top, put into a manifest with another one. */
const twoDefects = fc
  .tuple(anyDefect, anyDefect, fc.constantFrom("name", "version", "app", "core"))
  .map(([one, other, key]) => ({ ...toRecord(one), [key]: toRecord(other)[key] }));

/** A defect at the end of a manifest that has anything else. */
const defectOfAny = fc
  .tuple(anyManifest, anyDefect, fc.constantFrom("name", "version", "app", "core"))
  .map(([manifest, defect, key]) => ({ ...toRecord(manifest), [key]: toRecord(defect)[key] }));

const withUnknownMembers = unknownMembers.map((members) => ({ ...SOUND_MANIFEST, ...members }));

/** A text with a piece removed, repeated or replaced, which is seldom JSON. */
const brokenText = fc
  .tuple(
    anyManifestText,
    fc.nat(),
    fc.nat(12),
    fc.constantFrom("", ",", "}", "]", '"', "\\", "//", "\t", "地", "😀", "\uFEFF", "nul", "1e", "\r"),
  )
  .map(([text, at, length, piece]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + piece + text.slice(start + length);
  });

const anyText = fc.oneof(
  { arbitrary: anyManifestText, weight: 5 },
  { arbitrary: textOf(anyDefect), weight: 4 },
  { arbitrary: textOf(twoDefects), weight: 3 },
  { arbitrary: textOf(defectOfAny), weight: 3 },
  { arbitrary: textOf(withUnknownMembers), weight: 1 },
  { arbitrary: brokenText, weight: 3 },
);

/** The known bad ones first, then generated ones. All can be stored in a file of UTF-8. */
export function generateManifests(count: number, seed: number): string[] {
  const known = [
    VALID_MANIFEST,
    ...HOSTILE_MANIFESTS.map(({ text }) => text),
    ...DEFECTS_OF_TEXT.map(([, text]) => text),
    ...DEFECTS.map(([, place, value]) => JSON.stringify(withDefect(place, value), null, 2)),
  ];
  const each = Math.ceil((known.length * 2) / count);
  const some = known.filter((_, index) => index % each === 0);
  const generated = fc.sample(anyText, { numRuns: count * 2, seed });
  return [...some, ...generated].filter(isStorable).slice(0, count);
}

/** Half of a surrogate pair has no bytes in UTF-8. What is too large is refused as a whole, on both sides. */
function isStorable(text: string): boolean {
  const bytes = Buffer.from(text);
  return bytes.length <= MANIFEST_LIMITS.bytes && bytes.toString() === text;
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
