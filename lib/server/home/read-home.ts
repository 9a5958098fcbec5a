import type { Actor, Member } from "@/lib/domain/actor";
import { isMember } from "@/lib/domain/actor";
import { listAttention, type HomeFacts } from "@/lib/domain/home/list-attention";
import { listTracks } from "@/lib/domain/home/list-tracks";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { addHealth } from "../health/read-health";
import { selectInstallations } from "../installations/queries";
import type { Platform } from "../platform/platform";
import * as queries from "./queries";

/** More than that are not looked through. */
const INSTALLATIONS = 500;

/** What needs the user's attention, and what a new organization does next. */
export async function readHome(platform: Platform, actor: Actor) {
  const [organization, waiting] = await Promise.all([
    isMember(actor) ? readOrganization(platform, actor) : undefined,
    actor.moderator ? queries.selectWaitingReviews(platform.db) : undefined,
  ]);
  return { organization, waiting };
}

async function readOrganization({ db }: Platform, { organization: { id, slug, role } }: Member) {
  const publishes = role !== "operator";
  const [installations, changedProducts, deadDeliveries, returned, brokenDrafts, progress] =
    await Promise.all([
      readInstallations(db, id),
      queries.selectChangedProducts(db, id),
      queries.selectDeadDeliveries(db, id),
      publishes ? queries.selectReturned(db, id) : [],
      publishes ? findBrokenDrafts(db, id) : [],
      queries.selectProgress(db, id),
    ]);
  const facts = { role, installations, changedProducts, deadDeliveries, returned, brokenDrafts };
  return {
    attention: listAttention(facts),
    tracks: listTracks(role, slug, progress),
    progress,
    running: installations.filter(({ status }) => status === "RUNNING").length,
    installations: installations.length,
  };
}

type Database = Platform["db"];

async function readInstallations(db: Database, organizationId: string): Promise<HomeFacts["installations"]> {
  const rows = await selectInstallations(db, organizationId, { limit: INSTALLATIONS });
  return (await addHealth(db, rows)).map(
    ({ id, title, tenantName, test, upgradeTo, health, reason, updatedAt }) => {
      const [worst] = health.problems;
      return {
        ...{ id, title, tenantName, test, upgradeTo },
        status: health.status,
        reason: worst?.reason ?? reason ?? undefined,
        since: worst === undefined ? updatedAt : new Date(worst.since),
      };
    },
  );
}

async function findBrokenDrafts(db: Database, organizationId: string): Promise<HomeFacts["brokenDrafts"]> {
  const drafts = await queries.selectDraftTexts(db, organizationId);
  return drafts
    .map(({ text, ...draft }) => ({
      ...draft,
      errors: checkManifest(text).issues.filter(({ severity }) => severity === "error").length,
    }))
    .filter(({ errors }) => errors > 0);
}
