import { sql, type SQL } from "drizzle-orm";
import { isId } from "@/lib/contract/names";
import type { Db } from "../database/connect";
import type { AuditScope } from "./read-queries";

const APP_FOR_TENANT = sql`l.title || ' for ' || t.name`;
const OF_INSTALLATION = sql`
  join installations i on i.id = x.installation_id join listings l on l.id = i.listing_id join tenants t on t.id = i.tenant_id`;

/** Id and name of each kind's rows with these ids. A moderator has no name for organizations that they don't belong to. */
function namesOf(kind: string, scope: AuditScope): SQL | undefined {
  switch (kind) {
    case "user":
      return scope === "moderators"
        ? sql`select x.id, x.name from users x`
        : sql`select x.id, case when x.moderator and not exists (
                select from memberships m where m.user_id = x.id and m.organization_id = ${scope.organizationId})
                then 'A moderator' else x.name end as name from users x`;
    case "api-key":
      return sql`select x.id, 'API key ' || x.name as name from api_keys x`;
    case "core":
      return sql`select x.id, 'The core of ' || x.name as name from tenants x`;
    case "tenant":
      return sql`select x.id, x.name from tenants x`;
    case "organization":
      return sql`select x.id, x.name from organizations x`;
    case "invitation":
      return sql`select x.id, 'an invitation' || coalesce(' for ' || x.email, '') as name from invitations x`;
    case "listing":
      return sql`select x.id, x.title as name from listings x`;
    case "version":
      return sql`select x.id, l.title || ' ' || x.number as name from versions x join listings l on l.id = x.listing_id`;
    case "review":
      return sql`select x.id, l.title || coalesce(' ' || v.number, ' (text)') as name
                   from reviews x join listings l on l.id = x.listing_id left join versions v on v.id = x.version_id`;
    case "installation":
      return sql`select x.id, ${APP_FOR_TENANT} as name
                   from installations x join listings l on l.id = x.listing_id join tenants t on t.id = x.tenant_id`;
    case "route":
      return sql`select x.id, ${APP_FOR_TENANT} as name from routes x ${OF_INSTALLATION}`;
    case "upgrade":
      return sql`select x.id, 'the upgrade of ' || ${APP_FOR_TENANT} as name from upgrades x ${OF_INSTALLATION}`;
    default:
      return undefined;
  }
}

/** Rows that no longer exist have none. */
export async function selectNames(
  db: Db,
  scope: AuditScope,
  kind: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const names = namesOf(kind, scope);
  const known = ids.filter(isId);
  if (names === undefined || known.length === 0) return [];
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`${names} where x.id = any(${sql.param(known)}::uuid[])`,
  );
  return rows;
}
