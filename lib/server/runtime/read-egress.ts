/** Where apps send data, as pages show it, and what follows for their manifests. */
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { OTHER_HOSTS } from "@/lib/contract/runtime/egress";
import { type FewerHosts, proposeFewerHosts, usesAllItDeclares } from "@/lib/domain/catalog/fewer-hosts";
import {
  type EgressReader,
  type EgressView,
  findBlindness,
  viewEgress,
} from "@/lib/domain/runtime/egress/view-egress";
import { selectNewestVersion } from "../catalog/version-queries";
import type { Platform } from "../platform/platform";
import { DAY_MS } from "../platform/retention-queries";
import * as queries from "./egress-count-queries";

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const firstDay = () => dayOf(Date.now() - queries.EGRESS_DAYS * DAY_MS);

interface EgressQuery {
  which: queries.Watched;
  reader: EgressReader;
  manifest: Manifest;
  /** URLs of cores; for a customer, its own. */
  cores: readonly string[];
  /** What the customer who reads it entered in a setting. */
  valuesOf?: (setting: string) => readonly string[];
}

/** The last 90 days. The caller has checked that the reader may see it. */
export async function readEgress(
  { db, environment }: Pick<Platform, "db" | "environment">,
  { which, ...query }: EgressQuery,
): Promise<EgressView> {
  const [uses, since, lastRuntime] = await Promise.all([
    queries.selectUses(db, which, firstDay()),
    queries.selectFirstWatch(db, which, firstDay()),
    queries.selectLastRuntime(db, which),
  ]);
  const blindness = findBlindness(environment, lastRuntime);
  return viewEgress({ ...query, uses, since: since ?? null, blindness });
}

/** All versions of a listing, for its publisher; undefined before the first version. The caller has checked whose listing it is. */
export async function readAppEgress(
  platform: Pick<Platform, "db" | "environment">,
  listingId: string,
): Promise<{ view: EgressView; proposal: FewerHosts | undefined } | undefined> {
  const { db } = platform;
  const newest = await selectNewestVersion(db, listingId);
  if (newest === undefined) return undefined;
  const { manifest } = newest;
  const cores = await queries.selectCoresOfListing(db, listingId);
  const view = await readEgress(platform, { which: { listingId }, reader: "publisher", manifest, cores });
  return { view, proposal: await readProposal(platform, listingId, manifest) };
}

/** Hosts that the listing's newest manifest may leave out. The caller has checked whose listing it is. */
export async function readNewestProposal(
  platform: Pick<Platform, "db">,
  listingId: string,
): Promise<FewerHosts | undefined> {
  const newest = await selectNewestVersion(platform.db, listingId);
  return newest && readProposal(platform, listingId, newest.manifest);
}

async function readProposal(
  { db }: Pick<Platform, "db">,
  listingId: string,
  { core }: Pick<Manifest, "core">,
): Promise<FewerHosts | undefined> {
  if (core?.hosts === undefined || core.hosts.length === 0) return undefined;
  const [uses, watched] = await Promise.all([
    queries.selectUses(db, { listingId }, firstDay()),
    queries.selectWatchedVersions(db, listingId, firstDay()),
  ]);
  // Of more hosts, some were not read.
  if (uses.length >= queries.MOST_USES) return undefined;
  return proposeFewerHosts(core.hosts, uses, watched, OTHER_HOSTS);
}

/** Whether the listing's app used every host that it declares, so that its page can say so. */
export async function readUsesAll(
  { db }: Pick<Platform, "db">,
  listingId: string,
  { core }: Pick<Manifest, "core">,
): Promise<boolean> {
  if (core?.hosts === undefined) return false;
  const since = await queries.selectFirstWatch(db, { listingId }, firstDay());
  if (since === undefined) return false;
  const uses = await queries.selectUses(db, { listingId }, firstDay());
  return usesAllItDeclares(core.hosts, uses, [{ hosts: core.hosts, days: [since] }], dayOf(Date.now()));
}
