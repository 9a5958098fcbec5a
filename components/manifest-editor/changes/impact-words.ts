/** What an upgrade would ask of installations, in words. */
import type { ManifestImpact } from "@/lib/contract/manifest-draft";

/** "3 of 5 installations", "Both installations", "The one installation". */
export function installationsOf(count: number, all: number): string {
  if (count < all) return `${count} of ${all} installations`;
  if (all === 1) return "The one installation";
  return all === 2 ? "Both installations" : `All ${all} installations`;
}

export function verbOf(kind: ManifestImpact["mustFill"][number]["kind"]): string {
  return kind === "mapping" ? "map" : "fill in";
}

export function impactSummary({ installations, affected, broken }: ManifestImpact): string {
  if (broken)
    return "The saved draft has errors. Once they are mended, it is told here what an upgrade would ask.";
  if (installations === 0) return "Nobody has installed the app yet, so nobody has to fill in anything.";
  const pronoun = installations === 1 ? "it is" : "they are";
  if (affected === 0) return `${installationsOf(installations, installations)} could upgrade as ${pronoun}.`;
  return `${installationsOf(affected, installations)} may need an answer to upgrade.`;
}
