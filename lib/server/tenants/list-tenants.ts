import { isId } from "@/lib/contract/names";
import { CONNECTION_STATES, type ListedTenant } from "@/lib/contract/tenant-view";
import type { Member } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { selectSandbox, selectTenantPage } from "./queries";

const PAGE_SIZE = 30;

/** Search parameters of the page. Invalid ones are ignored. */
export interface TenantQuery {
  search?: string;
  connection?: string;
  after?: string;
}

export interface TenantPage {
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
      after: query.after !== undefined && isId(query.after) ? query.after : undefined,
      limit: PAGE_SIZE + 1,
    }),
    selectSandbox(db, organizationId),
  ]);
  const tenants = found.slice(0, PAGE_SIZE);
  const next = found.length > PAGE_SIZE ? tenants.at(-1)?.id : undefined;
  return { tenants, next, hasSandbox: sandboxId !== undefined };
}
