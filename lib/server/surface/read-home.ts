import { NO_CALLS } from "@/lib/domain/insight/calls-of-day";
import { currentClaim } from "@/lib/domain/moderation/review";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import { type InstalledApp, listInstallationRows, listListingRows } from "@/lib/domain/surface/home-rows";
import { listTracks } from "@/lib/domain/surface/tracks";
import { selectCallsOfDay, selectLastCalls } from "../insight/call-log/day-queries";
import { addHealth } from "../insight/health/read-health";
import { selectInstallations } from "../installations/queries";
import { selectUsable } from "../installations/requests/queries";
import { selectQueue } from "../moderation/queue-queries";
import { claimedSince } from "../moderation/review-queries";
import type { Platform } from "../platform/platform";
import * as queries from "./home-queries";
import { addListingFacts } from "./read-own-listings";

/** No more than this many are looked at; of these, the rows with the most to do are shown. */
const INSTALLATIONS = 500;
const LISTINGS = 100;

/** Rows of a page with one list, and of one with several. */
const ROWS = 20;
const FEWER_ROWS = 10;
/** Of the member's own requests. */
const APPROVALS = 3;

/** What the user's organization runs and offers, what needs attention, and the next step of a new organization. */
export async function readHome(platform: Platform, actor: Actor) {
  const member = isMember(actor) ? actor : undefined;
  const [organization, queue] = await Promise.all([
    member === undefined ? undefined : readOrganization(platform, member),
    actor.moderator ? readQueue(platform, actor, member === undefined ? ROWS : FEWER_ROWS) : undefined,
  ]);
  return { organization, queue };
}

async function readOrganization({ db }: Platform, { userId, organization: { id, slug, role } }: Member) {
  const publishes = role !== "operator";
  const [installed, own, progress, approved] = await Promise.all([
    readInstalled(db, id),
    publishes ? readListings(db, id) : { listings: [], uncheckedDrafts: 0 },
    queries.selectProgress(db, id),
    // Owners need no approval, and publishers can't ask for one.
    role === "operator" ? selectUsable(db, id, userId, APPROVALS + 1) : [],
  ]);
  const installations = listInstallationRows(installed, role);
  const listings = listListingRows(own.listings);
  const most = installations.length > 0 && listings.length > 0 ? FEWER_ROWS : ROWS;
  const shown = installations.slice(0, most);
  const lastCalls = await selectLastCalls(
    db,
    shown.flatMap(({ ids }) => ids),
  );
  const newestOf = (ids: readonly string[]) =>
    ids
      .flatMap((each) => lastCalls.get(each) ?? [])
      .sort((one, other) => other.getTime() - one.getTime())
      .at(0);
  return {
    tracks: listTracks(role, slug, progress),
    requests: {
      waiting: role === "owner" ? progress.openRequests : 0,
      approved: approved.slice(0, APPROVALS),
      hasMoreApproved: approved.length > APPROVALS,
    },
    installations: {
      rows: shown.map((row) => ({ ...row, lastCallAt: newestOf(row.ids) })),
      /** All that the organization has. */
      total: progress.installed,
      isComplete: installations.length === shown.length && progress.installed <= installed.length,
      running: installed.filter(({ status }) => status === "RUNNING").length,
      /** Of which `running` is counted: the newest ones. */
      looked: installed.length,
    },
    listings: {
      rows: listings.slice(0, most),
      total: progress.listings,
      isComplete: listings.length <= most && progress.listings <= own.listings.length,
      uncheckedDrafts: own.uncheckedDrafts,
    },
  };
}

type Database = Platform["db"];

async function readInstalled(db: Database, organizationId: string): Promise<InstalledApp[]> {
  const [rows, dead, changed, days] = await Promise.all([
    selectInstallations(db, organizationId, { limit: INSTALLATIONS }).then((found) => addHealth(db, found)),
    queries.selectDeadDeliveries(db, organizationId),
    queries.selectChangedProducts(db, organizationId),
    selectCallsOfDay(db, queries.ownInstallations(organizationId), { withTests: true }),
  ]);
  return rows.map(
    ({ id, title, publisherSlug, appName, tenantName, test, upgradeTo, trialEndsAt, ...row }) => {
      const [worst] = row.health.problems;
      return {
        ...{ id, title, tenantName, test, upgradeTo, trial: trialEndsAt !== null },
        name: `${publisherSlug}/${appName}`,
        status: row.health.status,
        reason: worst?.reason ?? row.reason ?? undefined,
        since: worst === undefined ? row.updatedAt : new Date(worst.since),
        dead: dead.get(id),
        changed: changed.get(id),
        day: days.get(id) ?? NO_CALLS,
      };
    },
  );
}

async function readListings(db: Database, organizationId: string) {
  const [listings, days] = await Promise.all([
    queries.selectOwnListings(db, organizationId, { limit: LISTINGS }),
    selectCallsOfDay(db, queries.customersOfListings(organizationId), { withTests: false }),
  ]);
  return addListingFacts(db, organizationId, listings, days);
}

/** The reviews that are due first, and how many wait. */
async function readQueue({ db }: Platform, { userId }: Actor, limit: number) {
  const now = new Date();
  const [waiting, rows] = await Promise.all([
    queries.selectWaitingReviews(db),
    selectQueue(db, { state: "PENDING", userId, claimedSince: claimedSince(now), order: "due", limit }),
  ]);
  return {
    ...waiting,
    rows: rows.map(({ claimer, claimedBy, claimedAt, cursor: _cursor, ...row }) => {
      const holder = currentClaim({ claimedBy, claimedAt }, now);
      return {
        ...row,
        isOverdue: row.dueAt < now,
        claim: holder === undefined ? undefined : holder === userId ? "you" : (claimer ?? ""),
      };
    }),
  };
}
