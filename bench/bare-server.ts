/** The baseline: `node:http` and one prepared select by primary keys, without keys to unseal, secrets or tokens. */
import { createServer } from "node:http";
import pg from "pg";

/** The join of `lib/server/calls/state-queries.ts`, for one key. */
const SELECT_STATE = `
  select i.organization_id as "organizationId", i.state, r.kind, c.settings, c.mappings,
         t.core_api_url as "coreApiUrl", t.host_name as "tenantHostName",
         o.slug as "organizationSlug",
         (select jsonb_agg(p.name order by p.name) from products p where p.tenant_id = i.tenant_id) as "productNames",
         k.wrapped, k.master_key_id as "masterKeyId"
    from installations i
    join routes r on r.id = $2 and r.installation_id = i.id
    join configurations c on c.installation_id = i.id and c.revision = $3
    join tenants t on t.id = i.tenant_id
    join organizations o on o.id = i.organization_id
    left join data_keys k on k.organization_id = i.organization_id
   where i.id = $1 and i.key_epoch = $4`;

const [, , url, port] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 10 });

createServer((request, response) => {
  const [, installationId, routeId] = (request.url ?? "").split("/");
  pool.query({ name: "bare", text: SELECT_STATE, values: [installationId, routeId, 1, 0] }).then(
    ({ rows }) => {
      const body = JSON.stringify(rows[0]);
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    },
    () => response.writeHead(500).end(),
  );
}).listen(Number(port), "127.0.0.1", () => process.send?.({ ready: true }));
