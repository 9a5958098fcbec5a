/**
 * What a search costs: pages of the marketplace over 100,000 listings, next to a page that the same build renders from memory
 * with the same cards. That page is only in a copy of the sources, never in the product.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import path from "node:path";
import pg from "pg";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { load, medianRatio, printFigure } from "./measure";
import { createPublisher, createSeededListing, seedLarge } from "./seed-large";

const ROOT = path.join(import.meta.dirname, "..");
export const NEXT = path.join(ROOT, "node_modules/next/dist/bin/next");
/** Inside the tree, so that it resolves the same packages. */
export const COPY = path.join(ROOT, ".build/marketplace-pages");
const SOURCES = [
  ...["app", "components", "lib", "drizzle", "public", "proxy.ts", "next.config.js", "no-messages.cjs"],
  ...["launcher", "postcss.config.js", "tsconfig.json", "package.json"],
];

const ROUNDS = 5;
const REQUESTS = 200;
const CONNECTIONS = 8;
const SECONDS = 3;

/** Common and rare words, prefixes, several words, filters, a typo, and nothing at all. */
const SEARCHES = [
  ...["q=telematics", "q=motor", "q=flood+scoring", "q=tele", "q=policy.issued", "q=renewal&category=rating"],
  ...[
    "category=claims",
    "connects=webhooks",
    "q=cyber&connects=raters",
    "q=northwind+fleet",
    "q=accuracy",
    "",
  ],
  ...["q=crop+photo+triage", "q=insurtech&category=data&connects=autofill", "q=measured", "q=sanktions"],
  ...["q=zzzz", "connects=endpoints", "q=publisher-77"],
].map((query) => `/marketplace?${query}`);
const BARE = ["/bare"];

interface MarketplaceSite {
  url: string;
  databaseUrl: string;
  stop: () => Promise<void>;
}

/** Starts the built copy over `databaseUrl`, or a database of its own that is filled first. */
export async function startMarketplace(databaseUrl: string | undefined): Promise<MarketplaceSite> {
  const database = databaseUrl === undefined ? await startSeededDatabase() : undefined;
  const filledUrl = databaseUrl ?? `${database?.server}/bench`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [NEXT, "start", COPY, "-p", String(port), "-H", "127.0.0.1"], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: filledUrl,
      PLATFORM_MASTER_KEYS: newMasterKey("bench"),
      PLATFORM_WEB_URL: url,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return {
    url,
    databaseUrl: filledUrl,
    stop: async () => {
      await end(server);
      await database?.stop();
    },
  };
}

async function startSeededDatabase() {
  const database = await startTemporaryDatabase("bench");
  console.log("Storing 100,000 listings.");
  await seedLarge(`${database.server}/bench`);
  return database;
}

/** Prints the figures of a site that answers: of searches that are done for the first time since a listing changed, and of repeated ones. */
export async function measureMarketplace({ url, databaseUrl }: MarketplaceSite): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const searches = [...SEARCHES, await findSecondPage(url)];
  const time = async (paths: readonly string[], isFirst = false) => {
    const times: { path: string; ms: number }[] = [];
    for (let at = 0; at < REQUESTS; at += 1) {
      const path = paths[at % paths.length] ?? "/";
      if (isFirst) await pool.query("select nextval('marketplace_changes')");
      times.push({ path, ms: await timeRequest(agent, url + path) });
    }
    return times.sort((a, b) => a.ms - b.ms);
  };
  const p95 = (times: { ms: number }[]) => times[Math.floor(times.length * 0.95)]?.ms ?? NaN;
  // Prepares each statement, and compiles what is used.
  for (let round = 0; round < 3; round += 1) {
    await time(searches, true);
    await time(BARE);
  }
  const [first, search, bare]: [number[], number[], number[]] = [[], [], []];
  const [home, bareRate]: [number[], number[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const searched = await time(searches, true);
    first.push(p95(searched));
    search.push(p95(await time(searches)));
    bare.push(p95(await time(BARE)));
    const order = { connections: CONNECTIONS, seconds: SECONDS };
    home.push((await load({ url: `${url}/`, ...order })).rate);
    bareRate.push((await load({ url: `${url}/bare`, ...order })).rate);
    const slowest = new Set(searched.slice(-REQUESTS / 20).map(({ path }) => path));
    console.log(
      `round ${round}: search p95 ${first.at(-1)?.toFixed(1)} ms, repeated ${search.at(-1)?.toFixed(1)} ms, bare ${bare.at(-1)?.toFixed(1)} ms; home ${home.at(-1)?.toFixed(0)}/s, bare ${bareRate.at(-1)?.toFixed(0)}/s; slowest ${[...slowest].join(" ")}`,
    );
  }
  agent.destroy();
  await pool.end();
  printFigure("first_search_over_bare_page", medianRatio(first, bare), "ratio");
  printFigure("search_over_bare_page", medianRatio(search, bare), "ratio");
  printFigure("home_rate_over_bare_page", medianRatio(home, bareRate), "ratio");
}

async function findSecondPage(origin: string): Promise<string> {
  const html = await (await fetch(`${origin}/marketplace?q=motor`)).text();
  const next = /href="(\/marketplace\?[^"]*after=[^"]*)"/.exec(html)?.[1];
  if (next === undefined) throw new Error("A search has no second page.");
  return next.replaceAll("&amp;", "&");
}

/** The product's sources with the page to compare with. */
export async function copySources(): Promise<void> {
  await rm(COPY, { recursive: true, force: true });
  await mkdir(COPY, { recursive: true });
  for (const source of SOURCES)
    await cp(path.join(ROOT, source), path.join(COPY, source), { recursive: true });
  const cards = Array.from({ length: 24 }, (_, number) => {
    const { id, appName, title, tagline: summary } = createSeededListing(number);
    const { slug, name } = createPublisher(number);
    const connects = ["Reacts to events, fills in forms", "Connects to api.vin.example"];
    const card = { id, organizationSlug: slug, organizationName: name, appName, title, summary, icon: null };
    return { ...card, version: "1.0.0", connects };
  });
  const page = `import { ListingCards } from "@/components/catalog/marketplace/listing-cards";
const cards = ${JSON.stringify(cards)};
export default function Page() { return <ListingCards listings={cards} />; }`;
  await mkdir(path.join(COPY, "app/(open)/bare"));
  await writeFile(path.join(COPY, "app/(open)/bare/page.tsx"), page);
}

function timeRequest(agent: Agent, url: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - started);
        else reject(new Error(`${url} returned ${response.statusCode}`));
      });
    }).once("error", reject);
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
