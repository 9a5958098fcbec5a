import { sql, type SQL } from "drizzle-orm";
import { EVENT_TYPE_CHARACTERS } from "../calls/record-queries";

/** The moment in a UUIDv7. PostgreSQL 16 has no function for it. */
const beganAt = sql`to_timestamp(('x' || left(replace(c.attempt_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

/**
 * Records attempts that were claimed and whose result may never be known, because the app may have received them. Existing
 * records stay as they are. @param claimed selects `delivery_id` and `attempt_id`
 */
export function recordInterrupted(claimed: SQL): SQL {
  return sql`
    insert into attempts (id, organization_id, installation_id, route_id, delivery_id, kind, target, event_type, test,
                          recorded, payload_bytes, started_at)
    select c.attempt_id, i.organization_id, i.id, r.id, d.id, 'webhook', 'POST ' || r.path,
           left(e.type, ${EVENT_TYPE_CHARACTERS}), e.test, e.test or i.test or o.record_bodies, octet_length(e.body),
           ${beganAt}
      from (${claimed}) c
      join deliveries d on d.id = c.delivery_id
      join events e on e.id = d.event_id
      join routes r on r.id = d.route_id
      join installations i on i.id = d.installation_id
      join organizations o on o.id = i.organization_id
    on conflict (id) do nothing`;
}
