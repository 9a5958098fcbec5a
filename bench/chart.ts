/**
 * How long the chart of a month takes for an organization with a million calls, from its hourly counts and from counting the calls
 * one by one. The two take turns, so that their ratio stays valid when the machine's speed drifts.
 *
 *     npm run bench:chart [-- --calls 1000000 --rounds 5]
 */
import { parseArgs } from "node:util";
import { bucketLength } from "@/lib/domain/calls/call-range";
import type { Member } from "@/lib/domain/platform/actor";
import { chartCalls } from "@/lib/server/insight/call-log/chart-calls";
import { countCalls, filterCharted } from "@/lib/server/insight/call-log/chart-queries";
import { countHours } from "@/lib/server/insight/call-log/count-hours";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { median, printFigure } from "./measure";
import { seedInstallations } from "./seed-installations";

const DAY_MS = 86_400_000;
const DAYS = 29;
/** An organization's, as `seedInstallations` creates them. */
const INSTALLATIONS = 100;
/** Calls that one statement inserts. */
const STATEMENT = 20_000;

const { values } = parseArgs({
  options: { calls: { type: "string", default: "1000000" }, rounds: { type: "string", default: "5" } },
});
const database = await startTemporaryDatabase("bench");
try {
  const platform = createPlatform(
    readEnvironment({
      NODE_ENV: "production",
      DATABASE_URL: `${database.server}/bench`,
      PLATFORM_MASTER_KEYS: newMasterKey("bench"),
      PLATFORM_LOG_LEVEL: "error",
    }),
    "bench",
  );
  await measure(platform, Number(values.calls), Number(values.rounds));
  await platform.pool.end();
} finally {
  await database.stop();
}

async function measure(platform: Platform, calls: number, rounds: number): Promise<void> {
  await seedInstallations(platform, INSTALLATIONS);
  await insertCalls(platform, calls);
  const countedIn = await time(async () => void (await countHours(platform)));
  await platform.pool.query("vacuum analyze attempts");
  await platform.pool.query("vacuum analyze call_hours");
  const member = await readMember(platform);
  const organizationId = member.organization.id;
  const summed: number[] = [];
  const counted: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Each round has a range of its own, because charts are kept for a minute.
    const to = new Date(Date.now() - round);
    const from = new Date(to.getTime() - 30 * DAY_MS);
    const filter = { from: from.toISOString(), to: to.toISOString() };
    summed.push(await time(async () => void (await chartCalls(platform, member, filter))));
    counted.push(
      await time(async () => {
        const scope = { organizationId, range: { from, to } };
        const { attempts } = filterCharted(scope, filter);
        await countCalls(platform.db, attempts({ from, to }), bucketLength(from, to));
      }),
    );
  }
  printFigure("chart_calls", calls, "calls");
  printFigure("chart_hours_counted_in", countedIn / 1000, "s");
  printFigure("chart_month", median(summed), "ms");
  printFigure("chart_month_one_by_one", median(counted), "ms");
  printFigure("chart_month_over_one_by_one", median(summed) / median(counted), "ratio");
}

/** Over the days before now, on all routes, one call in 50 failed. */
async function insertCalls({ pool }: Platform, calls: number): Promise<void> {
  for (let first = 1; first <= calls; first += STATEMENT)
    await pool.query(
      `insert into attempts (id, organization_id, installation_id, route_id, kind, target, started_at, duration_ms, failure)
     select uuidv7(make_interval(secs => -age)), i.organization_id, r.installation_id, r.id, r.kind, 'POST /x',
            now() - make_interval(secs => age), 5 + n % 300, case when n % 50 = 0 then 'It returned 500.' end
       from (select n, n * $2::float8 / $1 as age from generate_series($3::int, least($1::int, $3 + $4 - 1)) n) numbered
       join (select *, row_number() over (order by id) as place, count(*) over () as many from routes) r
         on r.place = 1 + n % r.many
       join installations i on i.id = r.installation_id`,
      [calls, (DAYS * DAY_MS) / 1000, first, STATEMENT],
    );
}

async function readMember({ pool }: Platform): Promise<Member> {
  const { rows } = await pool.query<{ id: string; slug: string; name: string }>(
    "select id, slug, name from organizations",
  );
  const [organization] = rows;
  if (organization === undefined) throw new Error("nothing was seeded");
  const nobody = { userId: "", sessionId: "", name: "", email: "", moderator: false };
  return { ...nobody, organization: { ...organization, role: "owner" } };
}

async function time(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
