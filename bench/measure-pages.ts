/**
 * What each page that people open costs over a year's data (`seed-year.ts`): the SQL statements of a request and the rows that they
 * read, the bytes and the elements that are sent, and the server's time. Only times depend on how busy the machine is.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Environment, readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import { countHours } from "@/lib/server/insight/call-log/count-hours";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { sealSession, sessionCookie } from "@/tests/seal-session";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { median, printFigure } from "./measure";
import { type SeededYear, seedYear } from "./seed-year";
import { type StatementTrace, traceStatements, type TracedStatement } from "./trace-statements";

const ROOT = path.join(import.meta.dirname, "..");
const TIMED = 5;

/** A statement that reads more than this, and more than it returns, is printed. */
const MANY_ROWS = 1_000;

interface Visit {
  name: string;
  who: keyof SeededYear["sessions"] | "visitor";
  address: string;
}

function listVisits(year: SeededYear): Visit[] {
  const visits = (who: Visit["who"], addresses: Record<string, string>): Visit[] =>
    Object.entries(addresses).map(([name, address]) => ({ name, who, address }));
  const installation = `/installations/${year.installationId}`;
  return [
    ...visits("visitor", {
      front: "/",
      marketplace: "/marketplace",
      marketplace_search: "/marketplace?q=telematics",
      listing: "/marketplace/year-apps/app-0",
      publisher: "/publishers/year-apps",
    }),
    ...visits("customer", {
      home_customer: "/home",
      installations: "/installations",
      installations_running: "/installations?state=RUNNING",
      installations_search: "/installations?q=tenant+19",
      installation: installation,
      installation_calls: `${installation}/calls`,
      installation_configuration: `${installation}/configuration`,
      installation_settings: `${installation}/settings`,
      installation_history: `${installation}/history`,
      installation_configure: `${installation}/configure`,
      installation_upgrade: `/installations/${year.upgradableId}/upgrade`,
      launch: "/launch/year-apps/app-0",
      calls: "/calls",
      calls_failed: "/calls?state=failed",
      calls_waiting: "/calls?state=waiting",
      calls_dead: "/calls?state=dead",
      calls_search: "/calls?q=nothing+like+this",
      call: `/calls/${year.attemptId}`,
      call_of_delivery: `/calls/${year.deliveredAttemptId}`,
      notifications: "/notifications",
      notifications_unread: "/notifications?unread=1",
      members: "/organization/members",
      members_search: "/organization/members?q=person+69",
      organization_settings: "/organization/settings",
      api_keys: "/organization/api-keys",
      tenants: "/tenants",
      tenants_search: "/tenants?q=tenant+29",
      tenant: `/tenants/${year.tenantId}`,
      audit: "/organization/audit",
      audit_action: "/organization/audit?action=installation.configure",
      account: "/account",
    }),
    ...visits("publisher", {
      home_publisher: "/home",
      listings: "/publish",
      app: "/publish/app-0",
      app_versions: "/publish/app-0/versions",
      app_versions_highest: "/publish/app-0/versions?sort=highest",
      app_customers: "/publish/app-0/customers",
      app_customers_failed: "/publish/app-0/customers?sort=failed",
      app_settings: "/publish/app-0/settings",
      app_logs: "/publish/app-0/logs",
      app_logs_search: "/publish/app-0/logs?q=nothing+like+this",
      app_metrics: "/publish/app-0/metrics",
      app_edit: "/publish/app-0/edit",
      app_manifest: "/publish/app-0/manifest",
      own_review: `/publish/app-0/reviews/${year.ownReviewId}`,
      notifications_publisher: "/notifications",
    }),
    ...visits("moderator", {
      home_moderator: "/home",
      moderation: "/moderation",
      moderation_approved: "/moderation?state=APPROVED",
      moderation_search: "/moderation?q=telematics",
      review: `/moderation/${year.reviewId}`,
      review_many_versions: `/moderation/${year.ownReviewId}`,
      moderation_listings: "/moderation/listings",
      moderation_listing: `/moderation/listings/${year.listingId}`,
      moderation_audit: "/moderation/audit",
      moderation_usage: "/moderation/usage",
    }),
  ];
}

/** Of the built pages. Prints four figures of each page, and the rows that its statements read. */
export async function measurePages(): Promise<void> {
  const database = await startTemporaryDatabase("bench", { fsync: "off", max_wal_size: "8GB" });
  const dataDir = await mkdtemp(path.join(tmpdir(), "platform-pages-"));
  const databaseUrl = `${database.server}/bench`;
  const port = await freePort();
  const variables = {
    NODE_ENV: "production" as const,
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_WEB_PORT: String(port),
    PLATFORM_WEB_URL: `http://localhost:${port}`,
    PLATFORM_LOG_LEVEL: "error",
  };
  try {
    console.log("Storing a year's data.");
    const year = await seedYear(databaseUrl);
    const trace = await traceStatements(databaseUrl, database.logFile);
    const cookies = await prepare(readEnvironment(variables), year);
    const web = fork(path.join(ROOT, ".build/web.js"), [], {
      cwd: ROOT,
      env: { ...process.env, ...variables },
    });
    try {
      await once(web, "message");
      const load = ({ who, address }: Visit) =>
        loadPage(variables.PLATFORM_WEB_URL + address, cookies.get(who));
      await visitAll(listVisits(year), load, trace);
    } finally {
      await trace.end();
      web.kill("SIGTERM");
      await once(web, "exit");
    }
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Counts the calls of each hour, as a worker does, and returns the cookie of each user. */
async function prepare(environment: Environment, year: SeededYear): Promise<Map<Visit["who"], string>> {
  const platform = createPlatform(environment, "bench");
  try {
    await countHours(platform);
    await platform.pool.query("vacuum analyze call_hours");
    const cookies = new Map<Visit["who"], string>();
    for (const who of ["customer", "publisher", "moderator"] as const)
      cookies.set(who, `${sessionCookie(platform)}=${await sealSession(platform, year.sessions[who])}`);
    return cookies;
  } finally {
    await closePlatform(platform);
  }
}

interface Load {
  bytes: number;
  /** Elements of the HTML. */
  nodes: number;
  ms: number;
}

async function visitAll(
  visits: readonly Visit[],
  load: (visit: Visit) => Promise<Load>,
  trace: StatementTrace,
): Promise<void> {
  const loads: (Load & { visit: Visit })[] = [];
  for (const visit of visits) {
    // Compiles the page, and fills what it remembers.
    const { bytes, nodes } = await load(visit);
    const times = [];
    for (let at = 0; at < TIMED; at += 1) times.push((await load(visit)).ms);
    loads.push({ visit, bytes, nodes, ms: median(times) });
  }
  await trace.turn("on");
  for (const { visit, ...cost } of loads) {
    await trace.take();
    await load(visit);
    report(visit, await trace.take(), cost);
  }
}

async function loadPage(url: string, cookie = ""): Promise<Load> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { cookie }, redirect: "manual" });
  const body = await answer.arrayBuffer();
  const ms = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`${url} returned ${answer.status}`);
  return { bytes: body.byteLength, nodes: countElements(new TextDecoder().decode(body)), ms };
}

function countElements(html: string): number {
  return html.replaceAll(/<(script|style)\b[^]*?<\/\1>/g, "").match(/<[a-z]/gi)?.length ?? 0;
}

function report({ name }: Visit, statements: TracedStatement[], { bytes, nodes, ms }: Load): void {
  console.log(`figure ${name}_statements ${statements.length} statements`);
  console.log(`figure ${name}_bytes ${bytes} bytes`);
  console.log(`figure ${name}_nodes ${nodes} elements`);
  printFigure(`${name}_server_ms`, ms, "ms");
  console.log(
    `figure ${name}_rows_read ${Math.round(statements.reduce((sum, { read }) => sum + read, 0))} rows`,
  );
  for (const { text, read, returned } of statements)
    if (read > MANY_ROWS && read > returned * 2)
      console.log(
        `  ${name}: ${Math.round(read)} rows read for ${Math.round(returned)}: ${text.replaceAll(/\s+/g, " ").slice(0, 200)}`,
      );
}
