import { expect, test } from "vitest";
import type { CallFilter } from "@/lib/contract/calls/call-filter";
import { givenCallWorld } from "@/tests/given-calls";
import { countRowsRead } from "@/tests/rows-read";
import { testPlatform } from "@/tests/test-platform";
import { requireInstallation } from "../../installations/queries";
import { listInstallations } from "../../installations/list-installations";
import { readInstallation, readInstallationOverview } from "../../installations/read-installation";
import { readTenant } from "../../installations/tenants/read-tenants";
import { readHome } from "../../surface/read-home";
import { findScope, listCalls, listScopes } from "./list-calls";
import { selectCalls } from "./list-queries";
import { listSentCalls } from "./read-call";

const platform = await testPlatform();

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Plan[];
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

// Guarantee: the list reads its calls in the order of an index, however many there are: nothing is scanned in full or sorted.
test("every list uses an index", async () => {
  const { customer, production, launch } = await givenCallWorld(platform);
  const { id } = customer.organization;
  await platform.pool.query(
    `insert into attempts (id, organization_id, installation_id, route_id, kind, target, duration_ms, failure)
     select uuidv7(make_interval(secs => -n)), $1, r.installation_id, r.id, r.kind, 'POST /x', 5,
            case when n % 200 = 0 then 'It returned 500.' end
       from generate_series(1, 20000) n
       join (select *, row_number() over (order by id) as place from routes) r on r.place = 1 + n % 8`,
    [id],
  );
  await platform.pool.query("analyze attempts");
  const cases: [CallFilter, string][] = [
    [{}, "attempts_organization_id_id_index"],
    [{ last: "1h" }, "attempts_organization_id_id_index"],
    [{ q: "nothing", slower: 10 }, "attempts_organization_id_id_index"],
    [{ source: "launches" }, "attempts_organization_id_id_index"],
    [{ state: "failed" }, "failed_attempts"],
    [{ installation: production.installation.id }, "attempts_installation_id_id_index"],
    [{ installation: launch.installation.id, kind: "rater" }, "attempts_installation_id_id_index"],
  ];
  for (const [filter, index] of cases) {
    const scope = await findScope(platform.db, customer, filter);
    const { sql, params } = selectCalls(platform.db, scope, filter, { limit: 51 }).toSQL();
    const { rows } = await platform.pool.query(`explain (format json) ${sql}`, params);
    const plan: Plan = rows[0]["QUERY PLAN"][0].Plan;
    const reads = nodes(plan).filter((node) => node["Relation Name"] === "attempts");
    expect(
      reads.map((node) => node["Index Name"] ?? node["Node Type"]),
      JSON.stringify(filter),
    ).toEqual([index]);
    expect(
      reads.map((node) => node["Node Type"]),
      JSON.stringify(filter),
    ).not.toContain("Bitmap Heap Scan");
  }
});

// Guarantee: how long an installation has been in use makes no page of it slower. Each reads the newest calls, or those of a day.
test("no page reads the calls of weeks", async () => {
  const { customer, production, call } = await givenCallWorld(platform, "busy");
  const { id, tenantId } = production.installation;
  await call("autofill", { test: true, payload: "{}", ago: 30 * 86_400_000 });
  await platform.pool.query(
    `insert into attempts (id, organization_id, installation_id, route_id, kind, target, duration_ms, started_at)
     select uuidv7(make_interval(days => -2, mins => -n)), $1, $2, $3, 'autofill', 'POST /x', 5,
            now() - make_interval(days => 2, mins => n)
       from generate_series(1, 20000) n`,
    [customer.organization.id, id, production.route("autofill").id],
  );
  await platform.pool.query("analyze attempts");
  const found = await requireInstallation(platform.db, customer.organization.id, id);
  const pages: Record<string, (on: typeof platform) => Promise<unknown>> = {
    console: (on) => listSentCalls(on, customer, id),
    installation: (on) => readInstallation(on, customer, id),
    overview: (on) => readInstallationOverview(on, found),
    installations: (on) => listInstallations(on, customer, {}),
    tenant: (on) => readTenant(on, customer, tenantId),
    home: (on) => readHome(on, customer),
    calls: (on) => listCalls(on, customer, { installation: id }),
    scopes: (on) => listScopes(on, customer, { installation: id }),
  };
  for (const [name, read] of Object.entries(pages)) {
    const rows = await countRowsRead(platform, "attempts", (tx) => read({ ...platform, db: tx }));
    expect(rows, name).toBeLessThan(1_000);
  }
  expect((await listSentCalls(platform, customer, id)).calls).toHaveLength(1);
});
