import { isId } from "@/lib/contract/names";
import { CONNECTION_STATES, type ConnectionState, type ListedTenant } from "@/lib/contract/tenant-view";
import type { Member } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { selectTenantPage } from "./queries";
import { selectSandbox } from "./sandbox-queries";

const PAGE = 30;

/** As the address of the page gives it: anything that is not understood is left out. */
export interface TenantQuery {
  search?: string;
  connection?: string;
  after?: string;
}

export interface TenantPage {
  tenants: ListedTenant[];
  next: string | undefined;
  hasSandbox: boolean;
}

/** The member's tenants by name; `next` is the cursor of the following page. */
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
      connection: stateOf(query.connection),
      after: query.after !== undefined && isId(query.after) ? query.after : undefined,
      limit: PAGE + 1,
    }),
    selectSandbox(db, organizationId),
  ]);
  const tenants = found.slice(0, PAGE);
  const next = found.length > PAGE ? tenants.at(-1)?.id : undefined;
  return { tenants, next, hasSandbox: sandboxId !== undefined };
}

function stateOf(text: string | undefined): ConnectionState | undefined {
  return CONNECTION_STATES.find((state) => state === text);
}
