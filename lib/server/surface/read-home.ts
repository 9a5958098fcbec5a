import { compareTexts } from "@/lib/domain/catalog/listing-text";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import { type HomeFacts, listAttention, type PublishingFacts } from "@/lib/domain/surface/attention";
import { listTracks } from "@/lib/domain/surface/tracks";
import { differsFrom } from "../catalog/publish/manifest-draft";
import { selectNewestVersions } from "../catalog/version-queries";
import { addHealth } from "../insight/health/read-health";
import { selectInstallations } from "../installations/queries";
import type { Platform } from "../platform/platform";
import * as publishingQueries from "./home-queries";
import * as queries from "./home-queries";

/** No more than this many are checked. */
const INSTALLATIONS = 500;

/** What needs the user's attention, and the next step of a new organization. */
export async function readHome(platform: Platform, actor: Actor) {
  const [organization, waiting] = await Promise.all([
    isMember(actor) ? readOrganization(platform, actor) : undefined,
    actor.moderator ? queries.selectWaitingReviews(platform.db) : undefined,
  ]);
  return { organization, waiting };
}

async function readOrganization({ db }: Platform, { organization: { id, slug, role } }: Member) {
  const publishes = role !== "operator";
  const [installations, changedProducts, deadDeliveries, publishing, progress] = await Promise.all([
    readInstallations(db, id),
    queries.selectChangedProducts(db, id),
    queries.selectDeadDeliveries(db, id),
    publishes ? readPublishing(db, id) : NOTHING_PUBLISHED,
    queries.selectProgress(db, id),
  ]);
  const facts = { role, installations, changedProducts, deadDeliveries, ...publishing };
  return {
    attention: listAttention(facts),
    tracks: listTracks(role, slug, progress),
    progress,
    running: installations.filter(({ status }) => status === "RUNNING").length,
    installations: progress.installed,
    checked: installations.length,
  };
}

type Database = Platform["db"];

async function readInstallations(db: Database, organizationId: string): Promise<HomeFacts["installations"]> {
  const rows = await selectInstallations(db, organizationId, { limit: INSTALLATIONS });
  return (await addHealth(db, rows)).map(
    ({ id, title, tenantName, test, upgradeTo, health, reason, updatedAt }) => {
      const [worst] = health.problems;
      return {
        id,
        title,
        tenantName,
        test,
        upgradeTo,
        status: health.status,
        reason: worst?.reason ?? reason ?? undefined,
        since: worst === undefined ? updatedAt : new Date(worst.since),
      };
    },
  );
}

const NOTHING_PUBLISHED: PublishingFacts = {
  returned: [],
  unsubmitted: [],
  drafts: [],
  uncheckedDrafts: 0,
  texts: [],
};

async function readPublishing(db: Database, organizationId: string): Promise<PublishingFacts> {
  const [returned, unsubmitted, found, texts] = await Promise.all([
    publishingQueries.selectReturned(db, organizationId),
    publishingQueries.selectUnsubmitted(db, organizationId),
    findDrafts(db, organizationId),
    publishingQueries.selectTextDrafts(db, organizationId),
  ]);
  return {
    returned,
    unsubmitted,
    ...found,
    texts: texts.filter(({ publicText, text }) => compareTexts(publicText, text).length > 0),
  };
}

/** Drafts with errors, and those that differ from the newest version. */
async function findDrafts(
  db: Database,
  organizationId: string,
): Promise<Pick<PublishingFacts, "drafts" | "uncheckedDrafts">> {
  const { drafts, unchecked } = await publishingQueries.selectManifestDrafts(db, organizationId);
  const versions = await selectNewestVersions(
    db,
    drafts.map(({ listingId }) => listingId),
  );
  const shown = drafts.flatMap(({ listingId, text, ...draft }) => {
    const newest = versions.get(listingId);
    const errors = checkManifest(text).issues.filter(({ severity }) => severity === "error").length;
    const isUnreleased = newest !== undefined && differsFrom(newest, text);
    return errors > 0 || isUnreleased ? [{ ...draft, errors, number: newest?.number ?? null }] : [];
  });
  return { drafts: shown, uncheckedDrafts: unchecked };
}
