import {
  CONNECTION_STATES,
  type ListedTenant,
  type TenantView,
} from "@/lib/contract/installations/installation-view";
import type { Member } from "@/lib/domain/platform/actor";
import { selectCredentials } from "../../accounts/credentials/core-credential-queries";
import { addHealth } from "../../insight/health/read-health";
import { readTextCursor, searchText, writeTextCursor } from "../../platform/database/expressions";
import type { Platform } from "../../platform/platform";
import { selectProducts, selectSandbox, selectTenantInstallations, selectTenantPage } from "./queries";
import { findTenant } from "./tenant-rules";

const PAGE_SIZE = 30;

/** Search parameters of the page. Invalid ones are ignored. */
export interface TenantQuery {
  search?: string;
  connection?: string;
  after?: string;
}

interface TenantPage {
  tenants: ListedTenant[];
  /** The cursor of the next page. */
  next: string | undefined;
  hasSandbox: boolean;
}

/** The organization's tenants, ordered by name. */
export async function listTenants(
  platform: Platform,
  member: Member,
  query: TenantQuery = {},
): Promise<TenantPage> {
  const { db } = platform;
  const organizationId = member.organization.id;
  const [found, sandboxId] = await Promise.all([
    selectTenantPage(db, organizationId, {
      search: searchText(query.search),
      connection: CONNECTION_STATES.find((state) => state === query.connection),
      after: readTextCursor(query.after),
      limit: PAGE_SIZE + 1,
    }),
    selectSandbox(db, organizationId),
  ]);
  const tenants = found.slice(0, PAGE_SIZE);
  const last = found.length > PAGE_SIZE ? tenants.at(-1) : undefined;
  const next = last && writeTextCursor({ id: last.id, text: last.name });
  return { tenants, next, hasSandbox: sandboxId !== undefined };
}

/** A tenant with its products and installations, without its secrets. Throws NOT_FOUND. */
export async function readTenant(platform: Platform, member: Member, id: string): Promise<TenantView> {
  const { credential, createdAt, trialEndsAt, ...tenant } = await findTenant(platform, member, id);
  const [products, coreCredentials, installations] = await Promise.all([
    selectProducts(platform.db, [id]),
    selectCredentials(platform.db, id),
    selectTenantInstallations(platform.db, member.organization.id, id).then((rows) =>
      addHealth(platform.db, rows),
    ),
  ]);
  return {
    ...tenant,
    trialEndsAt: trialEndsAt?.toISOString() ?? null,
    connectedAt: createdAt.toISOString(),
    credential:
      credential === null
        ? { configured: false }
        : { configured: true, updatedAt: credential.updatedAt, by: credential.by },
    coreCredentials: coreCredentials.map((each) => ({
      id: each.id,
      createdAt: each.createdAt.toISOString(),
      expiresAt: each.expiresAt?.toISOString() ?? null,
      lastUsedAt: each.lastUsedAt?.toISOString() ?? null,
    })),
    products: products.map(({ name, refreshedAt, changedAt, schema, sample }) => ({
      name,
      refreshedAt: refreshedAt.toISOString(),
      changedAt: changedAt.toISOString(),
      schema,
      sample,
    })),
    installations: installations.map(({ versionId: _versionId, ...installation }) => installation),
  };
}
