import { mergeManifests } from "@/lib/domain/manifest/merge-manifests";

export interface PossibleMerge {
  isPossible: boolean;
  /** What a merge would do, or why there can be none. */
  words: string;
}

/** `isBroken`: the text here cannot be merged at the moment. */
export function tryMerge(base: string, mine: string, theirs: string, isBroken: boolean): PossibleMerge {
  if (isBroken) return { isPossible: false, words: "To merge, mend the JSON here first." };
  const merged = mergeManifests(base, mine, theirs);
  if (merged === undefined)
    return { isPossible: false, words: "They cannot be merged: one of them is broken JSON." };
  const count = merged.conflicts.length;
  const both = count === 0 ? "No place was changed by both." : `${placesText(count)} changed by both.`;
  return { isPossible: true, words: `Merging keeps both. ${both}` };
}

export function mergedText(conflicts: number): string {
  if (conflicts === 0) return "Merged. No place was changed by both.";
  return `Merged. ${placesText(conflicts)} changed by both: what was here is kept there. Undo brings back how it was.`;
}

function placesText(count: number): string {
  return count === 1 ? "1 place was" : `${count} places were`;
}
