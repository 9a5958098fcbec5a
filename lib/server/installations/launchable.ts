import type { ListingState } from "@/lib/contract/listing";
import type { Member } from "@/lib/domain/actor";

interface Candidate {
  publisherId: string;
  listingState: ListingState;
  verifiedAt: Date | null;
}

/** Anyone launches what a moderator has verified and is public; a Test Launch is the publisher's own, of any version. */
export function isLaunchable(candidate: Candidate, member: Member, test: boolean): boolean {
  if (test) return candidate.publisherId === member.organization.id && candidate.listingState !== "RETIRED";
  return candidate.listingState === "PUBLIC" && candidate.verifiedAt !== null;
}
