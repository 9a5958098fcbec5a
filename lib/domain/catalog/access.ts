/**
 * Who may see a listing and launch its versions: one rule for pages, lists, launches and upgrades. Its form in SQL, for lists, is
 * `lib/server/catalog/access-queries.ts`.
 *
 * | listing   | seen by                                                             | launched by                            |
 * | --------- | ------------------------------------------------------------------- | -------------------------------------- |
 * | DRAFT     | its organization, moderators                                        | its organization, as a Test Launch     |
 * | PUBLIC    | everyone; by link: its holders, and organizations that have it      | the same; by link: only its holders    |
 * |           | installed; named: these organizations; always its own, moderators   |                                        |
 * | SUSPENDED | its organization, moderators                                        | its organization, as a Test Launch     |
 * | RETIRED   | nobody                                                              | nobody                                 |
 *
 * What is installed stays, is configured and upgraded, whoever sees the listing.
 *
 * Pilots are organizations that a publisher names for versions before their review. They see a public listing, and launch or upgrade to such a
 * version if they agree to it, until a moderator refuses it.
 */
import type { ListingState, ListingVisibility, ReviewState } from "@/lib/contract/catalog/listing";
import type { Member } from "../platform/actor";

export interface OfferedListing {
  state: ListingState;
  visibility: ListingVisibility;
}

/** Who sees a listing while it is public, as the subject of a sentence. */
export const AUDIENCES = {
  EVERYONE: "Everyone",
  LINK: "Only people with its secret link",
  NAMED: "Only the organizations that its publisher names",
} as const satisfies Record<ListingVisibility, string>;

/** How those who ask stand to a listing. */
export interface Standing {
  /** It is their organization's. */
  own: boolean;
  moderator: boolean;
  /** Its publisher named their organization. */
  named: boolean;
  /** Their organization has it installed, Test Launches aside. */
  installed: boolean;
  /** They have its current link. */
  link: boolean;
  /** Their organization tries versions of it before they are reviewed. */
  pilot: boolean;
}

/**
 * What a review made of a version. `PILOT`: nothing yet. `REFUSED`: it was returned, rejected or withdrawn, or it is not verified
 * anymore.
 */
export type VersionStage = "VERIFIED" | "PILOT" | "REFUSED";

/** @param review the state of the version's newest review; null if it never had one */
export function stageOf({
  verifiedAt,
  review,
}: {
  verifiedAt: Date | null;
  review: ReviewState | null;
}): VersionStage {
  if (verifiedAt !== null) return "VERIFIED";
  return review === null || review === "PENDING" ? "PILOT" : "REFUSED";
}

/** Everyone finds it: in lists, searches, counts, sitemaps and previews. */
export function isListed({ state, visibility }: OfferedListing): boolean {
  return state === "PUBLIC" && visibility === "EVERYONE";
}

/** Its publisher offers it to them: they can launch what is verified. */
export function isOffered({ state, visibility }: OfferedListing, standing: Standing): boolean {
  const { own, named, link, pilot } = standing;
  const offered = { EVERYONE: true, LINK: link, NAMED: named } satisfies Record<ListingVisibility, boolean>;
  return state === "PUBLIC" && (own || pilot || offered[visibility]);
}

export function maySee(listing: OfferedListing, standing: Standing): boolean {
  const { state, visibility } = listing;
  if (state === "RETIRED") return false;
  if (standing.own || standing.moderator || isOffered(listing, standing)) return true;
  return state === "PUBLIC" && visibility === "LINK" && standing.installed;
}

export interface Candidate extends OfferedListing {
  publisherId: string;
  verifiedAt: Date | null;
  /** The state of its newest review. */
  review: ReviewState | null;
}

/** Why something is not launched. `ABSENT`: the answer is the same as for a version that does not exist. */
export type LaunchRefusal = "ABSENT" | "LINK_NEEDED" | "NOT_NAMED" | "PILOT_ENDED" | "NOT_AGREED";

interface Launch {
  test: boolean;
  /** The member agrees to a version that is not reviewed yet. */
  pilot: boolean;
}

/**
 * Whom a listing is offered to can launch its verified versions, and pilots those that are not reviewed yet. A publisher can Test Launch any version of its own apps, and
 * moderators in their own organization one that is under review.
 */
export function refuseLaunch(
  candidate: Candidate,
  member: Member,
  standing: Standing,
  { test, pilot }: Launch,
): LaunchRefusal | undefined {
  const { id, moderation } = member.organization;
  if (test) {
    if (candidate.state === "RETIRED") return "ABSENT";
    const mayTest =
      moderation === true ? member.moderator && candidate.review === "PENDING" : candidate.publisherId === id;
    return mayTest ? undefined : "ABSENT";
  }
  if (candidate.state !== "PUBLIC") return "ABSENT";
  const stage = stageOf(candidate);
  if (stage !== "VERIFIED") {
    if (!standing.pilot) return "ABSENT";
    if (stage === "REFUSED") return "PILOT_ENDED";
    return pilot ? undefined : "NOT_AGREED";
  }
  if (isOffered(candidate, standing)) return undefined;
  return candidate.visibility === "LINK" ? "LINK_NEEDED" : "NOT_NAMED";
}

/** An installation of a customer may move to a version, whoever sees the listing by now. */
export function mayUpgradeTo(
  { state, ...version }: Pick<Candidate, "state" | "verifiedAt" | "review">,
  { pilot }: Pick<Standing, "pilot">,
): boolean {
  const stage = stageOf(version);
  return state === "PUBLIC" && (stage === "VERIFIED" || (stage === "PILOT" && pilot));
}
