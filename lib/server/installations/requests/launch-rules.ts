/** Who may launch what in an organization: its rules, and the apps that it allows. */
import type {
  AllowedAppInput,
  LaunchRules,
  LaunchRulesInput,
} from "@/lib/contract/installations/launch-request";
import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import { requireListing, toViewer } from "../../catalog/marketplace";
import type { Db } from "../../platform/database/connect";
import { searchText } from "../../platform/database/expressions";
import { byKey, readPage } from "../../platform/database/paging";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import * as queries from "./queries";

export async function readLaunchRules({ db }: Platform, { organization }: Member): Promise<LaunchRules> {
  return queries.selectLaunchRules(db, organization.id);
}

/** Applies to launches from now on: what is installed stays. Saving the same rules again changes nothing. */
export async function changeLaunchRules(
  platform: Platform,
  member: Member,
  rules: LaunchRulesInput,
): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await queries.updateRules(tx, organizationId, rules))) return;
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "organization.change-launch-rules",
      subject: `organization:${organizationId}`,
      details: { ...rules },
    });
  });
}

/** In the transaction of an owner's decision. Allowing an app again changes nothing. */
export async function allow(platform: Platform, tx: Db, member: Member, listingId: string): Promise<void> {
  const organizationId = member.organization.id;
  if (!(await queries.insertAllowed(tx, { organizationId, listingId, allowedBy: member.userId }))) return;
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: "allowed-app.add",
    subject: `listing:${listingId}`,
    details: {},
  });
}

/** Lets members launch an app that the owner sees. Throws NOT_FOUND for any other. */
export async function allowApp(
  platform: Platform,
  member: Member,
  listingId: string,
  { link }: AllowedAppInput,
): Promise<void> {
  const { listing } = await requireListing(platform, { id: listingId }, toViewer(member), link);
  if (listing.state !== "PUBLIC") throw new Problem("NOT_FOUND");
  await platform.db.transaction((tx) => allow(platform, tx, member, listingId));
}

/** What is installed stays. Throws NOT_FOUND for an app that is not allowed. */
export async function disallowApp(platform: Platform, member: Member, listingId: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await queries.deleteAllowed(tx, organizationId, listingId))) throw new Problem("NOT_FOUND");
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "allowed-app.remove",
      subject: `listing:${listingId}`,
      details: {},
    });
  });
}

const PAGE = 50;
const BY_TITLE = byKey<{ id: string; title: string }>("text", ({ title }) => title);

/** A page of the apps that the organization allows, by title. Anything invalid in the query means the first page of all. */
export async function listAllowedApps(
  { db }: Platform,
  { organization }: Member,
  query: { q?: string; after?: string },
) {
  const search = searchText(query.q);
  const [{ rows: apps, ...pages }, total] = await Promise.all([
    readPage(query.after, PAGE, BY_TITLE, (position, limit) =>
      queries.selectAllowed(db, organization.id, { search, position, limit }),
    ),
    queries.countAllowed(db, organization.id, search),
  ]);
  return { apps, search: search ?? "", total, pages };
}
