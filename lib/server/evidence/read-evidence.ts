import type { EvidenceView } from "@/lib/contract/evidence";
import type { Platform } from "../platform/platform";
import { selectEvidence } from "./queries";

/** What the automatic checks of a review found so far; null if it was never checked, such as a review of only the text. */
export async function readEvidence(platform: Platform, reviewId: string): Promise<EvidenceView | null> {
  const found = await selectEvidence(platform.db, reviewId);
  if (found === undefined) return null;
  const { queuedAt, endedAt, ...rest } = found;
  return { ...rest, queuedAt: queuedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null };
}
