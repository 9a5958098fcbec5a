import { sql } from "drizzle-orm";
import type { Db } from "../platform/database/connect";

interface NamedById extends Record<string, unknown> {
  kind: "call" | "installation" | "tenant";
  name: string;
}

/** What of an organization has this ID. */
export async function selectById(db: Db, organizationId: string, id: string): Promise<NamedById[]> {
  const { rows } = await db.execute<NamedById>(sql`
    select 'call' as kind, a.target || ' of ' || l.title as name
      from attempts a join installations i on i.id = a.installation_id join listings l on l.id = i.listing_id
     where a.id = ${id}::uuid and a.organization_id = ${organizationId}
    union all
    select 'installation', l.title || ' for ' || t.name
      from installations i join listings l on l.id = i.listing_id join tenants t on t.id = i.tenant_id
     where i.id = ${id}::uuid and i.organization_id = ${organizationId}
    union all
    select 'tenant', t.name
      from tenants t
     where t.id = ${id}::uuid and t.organization_id = ${organizationId} and t.disconnected_at is null`);
  return rows;
}
