import {
  CONNECTION_STATES,
  type ConnectionState,
  type ListedTenant,
  type TenantView,
} from "@/lib/contract/installations/installation-view";
import type { Pages } from "@/lib/contract/platform/pages";
import type { Member } from "@/lib/domain/platform/actor";
import { selectCredentials } from "../../accounts/credentials/core-credential-queries";
import { addHealth } from "../../insight/health/read-health";
import { searchText } from "../../platform/database/expressions";
import { byCursor, findSort, readPage } from "../../platform/database/paging";
import type { Platform } from "../../platform/platform";
import {
  countTenants,
  selectProducts,
  selectSandbox,
  selectTenantInstallations,
  selectTenantPage,
  TENANT_SORTS,
} from "./queries";
import { findTenant } from "./tenant-rules";

const PAGE_SIZE = 30;

/** Search parameters of the page. Invalid ones are ignored. */
export interface TenantQuery {
  search?: string;
  connection?: string;
  sort?: string;
  after?: string;
}

interface TenantPage extends Pages {
  tenants: ListedTenant[];
  /** Of all pages. */
  total: number;
  /** That match the search, by their connection. */
  counts: Record<ConnectionState | "all", number>;
  hasSandbox: boolean;
  sort: keyof typeof TENANT_SORTS;
}

/** The organization's tenants, by name unless another order is named. */
export async function listTenants(
  platform: Platform,
  member: Member,
  query: TenantQuery = {},
): Promise<TenantPage> {
  const { db } = platform;
  const organizationId = member.organization.id;
  const sort = findSort(TENANT_SORTS, query.sort);
  const filter = {
    sort,
    search: searchText(query.search),
    connection: CONNECTION_STATES.find((state) => state === query.connection),
  };
  const [{ rows, ...pages }, counts, sandboxId] = await Promise.all([
    readPage(query.after, PAGE_SIZE, byCursor(TENANT_SORTS[sort]), (position, limit) =>
      selectTenantPage(db, organizationId, { ...filter, position, limit }),
    ),
    countTenants(db, organizationId, filter.search),
    selectSandbox(db, organizationId),
  ]);
  const total = counts[filter.connection ?? "all"];
  const tenants = rows.map(({ cursor: _cursor, ...tenant }) => tenant);
  return { tenants, sort, total, counts, hasSandbox: sandboxId !== undefined, ...pages };
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
