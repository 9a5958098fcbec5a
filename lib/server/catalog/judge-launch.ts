/** Whether a member may launch a version now. The rule is in `lib/domain/catalog/access.ts`. */
import { Problem } from "@/lib/contract/platform/problem";
import { type Candidate, type LaunchRefusal, refuseLaunch, type Standing } from "@/lib/domain/catalog/access";
import type { Member } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import { selectStanding } from "./access-queries";
import { opensLink } from "./visibility";

/** How a member stands to a listing now, and the listing as it is now. Undefined for an unknown one. */
async function readStanding(db: Db, member: Member, listingId: string, link?: string) {
  const row = await selectStanding(db, listingId, member.organization.id);
  if (row === undefined) return undefined;
  const { state, visibility, organizationId, named, installed, pilot, linkHash } = row;
  const standing: Standing = {
    own: organizationId === member.organization.id,
    moderator: member.moderator,
    named,
    installed,
    pilot,
    link: opensLink({ visibility, linkHash }, link),
  };
  return { state, visibility, standing };
}

interface Asked {
  /** A Test Launch. */
  test: boolean;
  /** The token of the listing's link, as the member gives it. */
  link?: string;
  /** The member agrees to a version that is not reviewed yet. */
  pilot?: boolean;
}

/** Throws NOT_FOUND for an unknown listing. Lock the listing first, unless only a page needs to know. */
export async function judgeLaunch(
  db: Db,
  member: Member,
  version: { listingId: string } & Pick<Candidate, "publisherId" | "verifiedAt" | "review">,
  { test, link, pilot = false }: Asked,
) {
  const found = await readStanding(db, member, version.listingId, link);
  if (found === undefined) throw new Problem("NOT_FOUND");
  const { standing, ...listing } = found;
  return {
    refusal: refuseLaunch({ ...version, ...listing }, member, standing, { test, pilot }),
    /** The listing is shown by this link. */
    link: standing.link ? link : undefined,
  };
}

const REASONS: Record<Exclude<LaunchRefusal, "ABSENT">, string> = {
  LINK_NEEDED:
    "Its publisher now shows this app only to those who have its current link. Ask the publisher for the link, and open the app with it.",
  NOT_NAMED:
    "Its publisher now offers this app only to organizations that it names, and yours is not one of them. Ask the publisher to add it.",
  PILOT_ENDED:
    "The review of this version ended without approval, so it can't be launched anymore. Launch the verified version from the app's page.",
  NOT_AGREED: "This version is not reviewed yet. Agree to run it, then launch it.",
};

/** Ids of versions can't be guessed: whoever sends one was offered it, and learns why it is no longer. */
export function refuse(refusal: LaunchRefusal): Problem {
  if (refusal === "ABSENT") return new Problem("NOT_FOUND");
  return new Problem("NOT_ALLOWED", `${REASONS[refusal]} Your answers are still here.`);
}
