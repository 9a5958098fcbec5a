/**
 * Fills a database with 100,000 public listings of 2,000 publishers, the same ones each time. `npm run seed:large` fills the one
 * that DATABASE_URL names, which has to be migrated: it is for measuring, and there is no way back.
 */
import { pathToFileURL } from "node:url";
import pg from "pg";
import { CATEGORIES } from "@/lib/contract/catalog/listing-terms";

const LISTINGS = 100_000;
const PUBLISHERS = 2_000;
const BATCH = 2_000;

const COMPANIES = [
  "Northwind",
  "Bluepeak",
  "Harborline",
  "Cedarstone",
  "Brightwater",
  "Ironbridge",
  "Summit",
  "Lakeshore",
];
const TRADES = [
  "Data",
  "Analytics",
  "Underwriting",
  "Insurtech",
  "Software",
  "Risk",
  "Labs",
  "Systems",
  "Claims",
  "Rating",
];
const LINES = [
  "Motor",
  "Property",
  "Marine",
  "Cyber",
  "Travel",
  "Liability",
  "Fleet",
  "Farm",
  "Crop",
  "Pet",
  "Renters",
  "Workers",
];
const OBJECTS = [
  ...[
    "telematics",
    "address",
    "vehicle",
    "payment",
    "fraud",
    "document",
    "license",
    "weather",
    "flood",
    "credit",
    "invoice",
  ],
  ...[
    "claims",
    "premium",
    "broker",
    "identity",
    "sanctions",
    "photo",
    "repair",
    "loss history",
    "driver record",
    "valuation",
  ],
];
const DEEDS = [
  ...[
    "scoring",
    "lookup",
    "autofill",
    "validation",
    "screening",
    "triage",
    "reporting",
    "sync",
    "monitor",
    "rating",
    "alerts",
  ],
  ...[
    "export",
    "enrichment",
    "reconciliation",
    "estimates",
    "reminders",
    "archive",
    "notifications",
    "insights",
    "calculator",
  ],
];
const GAINS = [
  "in seconds",
  "for every quote",
  "without retyping",
  "before you bind",
  "at renewal",
  "for small teams",
  "around the clock",
];
const SENTENCES = [
  "It answers while the form is open, so that nobody waits.",
  "Underwriters see the source of each value beside it.",
  "Results are explained in plain language and kept with the policy.",
  "It needs one setting and a mapping, and works with your own products.",
  "Each answer names the day on which its data was last updated.",
  "We support teams of every size, from one broker to a national carrier.",
  "Nothing is stored: each call reads what it needs and forgets it.",
  "Accuracy is measured every month against a million closed cases.",
  "Pricing follows the number of calls, with the first thousand free.",
  "Our engineers answer within one working day.",
];
const EVENTS = [
  "policy.issued",
  "policy.cancelled",
  "policy.renewed",
  "claim.opened",
  "claim.closed",
  "invoice.overdue",
  "quote.created",
];
const OPERATIONS = [
  "newBusiness.*",
  "renewal.*",
  "midTermAdjustment.vehicle",
  "newBusiness.driver",
  "claim.*",
];

/** Mulberry32: the same numbers on each machine. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A UUIDv7 of a moment, which sorts by it. */
function idAt(milliseconds: number, kind: number, number: number): string {
  const time = milliseconds.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind}00-8000-${number.toString(16).padStart(12, "0")}`;
}

const START = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

export interface SeededListing {
  id: string;
  versionId: string;
  organizationId: string;
  appName: string;
  title: string;
  tagline: string;
  category: string;
  about: object;
  at: string;
  manifest: object;
}

export function createPublisher(number: number) {
  const random = createRandom(number);
  const pick = (words: readonly string[]) => words[random(words.length)] ?? "";
  return {
    id: idAt(START + number, 0, number),
    slug: `publisher-${number}`,
    name: `${pick(COMPANIES)} ${pick(TRADES)} ${number}`,
  };
}

export function createSeededListing(number: number): SeededListing {
  const random = createRandom(1_000_000 + number);
  const pick = (words: readonly string[]) => words[random(words.length)] ?? "";
  const sentences = (count: number) => Array.from({ length: count }, () => pick(SENTENCES)).join(" ");
  const [line, object, deed] = [pick(LINES), pick(OBJECTS), pick(DEEDS)];
  const at = START + number * 15 * MINUTE;
  const appName = `${object}-${deed}-${number}`.replaceAll(" ", "-");
  const core = {
    ...(random(10) < 6 ? { webhooks: [{ path: "/events", events: [pick(EVENTS), pick(EVENTS)] }] } : {}),
    ...(random(10) < 4 ? { autofill: [{ path: "/autofill", operations: [pick(OPERATIONS)] }] } : {}),
    ...(random(10) < 2 ? { externalRaters: [{ name: `${line} rater`, path: "/rate" }] } : {}),
  };
  return {
    id: idAt(at, 1, number),
    versionId: idAt(at, 2, number),
    organizationId: createPublisher(number % PUBLISHERS).id,
    appName,
    title: `${line} ${object} ${deed}`,
    tagline: `${deed[0]?.toUpperCase()}${deed.slice(1)} of ${line.toLowerCase()} ${object} data ${pick(GAINS)}`,
    category: pick(CATEGORIES),
    about: {
      product: `**${line} ${object} ${deed}** helps your team. ${sentences(4)}`,
      offering: sentences(2),
      company: sentences(2),
    },
    at: new Date(at).toISOString(),
    manifest: { name: `publisher-${number % PUBLISHERS}/${appName}`, version: "1.0.0", core },
  };
}

export async function seedLarge(databaseUrl: string, listings = LISTINGS): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Nobody searches meanwhile: the indexes are brought up to date once, at the end.
    await client.query("set gin_pending_list_limit = '1GB'; set maintenance_work_mem = '256MB'");
    const publishers = Array.from({ length: PUBLISHERS }, (_, number) => createPublisher(number));
    await client.query(
      "insert into organizations (id, slug, name) select id, slug, name from json_to_recordset($1) as p (id uuid, slug text, name text) on conflict do nothing",
      [JSON.stringify(publishers)],
    );
    for (let first = 0; first < listings; first += BATCH) {
      const count = Math.min(BATCH, listings - first);
      await insertBatch(
        client,
        Array.from({ length: count }, (_, at) => createSeededListing(first + at)),
      );
    }
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

/** A draft becomes public after its version is verified, as in a review: all that is searched follows by triggers. */
async function insertBatch(client: pg.Client, rows: SeededListing[]): Promise<void> {
  const given = [JSON.stringify(rows)];
  await client.query("begin");
  await client.query(
    `insert into listings (id, organization_id, app_name, title, tagline, category, about, requirements, state, created_at, updated_at, public_since)
     select id, "organizationId", "appName", title, tagline, category::listing_category, about, '{"technicalDetails":"","launchInstructions":"","complianceDetails":""}', 'PUBLIC', at, at, at
     from json_to_recordset($1) as l (id uuid, "organizationId" uuid, "appName" text, title text, tagline text, category text, about jsonb, at timestamptz)
     on conflict do nothing`,
    given,
  );
  await client.query(
    `insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest, archive_digest, archive_bytes, published_by, created_at, verified_at)
     select "versionId", id, '1.0.0', manifest, manifest::text, manifest::text, 'sha256:' || repeat('a', 64), 'sha256:' || repeat('b', 64), 1, 'seed', at, at
     from json_to_recordset($1) as l (id uuid, "versionId" uuid, manifest jsonb, at timestamptz)
     on conflict do nothing`,
    given,
  );
  await client.query("commit");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const databaseUrl = process.env.DATABASE_URL;
  if (databaseUrl === undefined) {
    console.error(
      "Set DATABASE_URL to the database to fill, such as postgres://postgres@127.0.0.1:5432/bench.",
    );
    process.exit(1);
  }
  await seedLarge(databaseUrl);
  console.log(`Stored ${LISTINGS} listings of ${PUBLISHERS} publishers.`);
}
