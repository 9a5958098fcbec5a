import { v7 } from "uuid";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import type { ListingState } from "@/lib/contract/catalog/listing";
import { parseMarketplaceFilter } from "@/lib/domain/catalog/marketplace";
import type { Member } from "@/lib/domain/platform/actor";
import { givenListing, givenMember, givenVersion, testPlatform } from "@/tests/test-platform";
import {
  countUnsearched,
  listNewest,
  listOfPublisher,
  readMarketplaceListing,
  readPublisher,
  searchMarketplace,
} from "./marketplace";
import { writeSitemap, writeSitemapIndex } from "./sitemap";

const platform = await testPlatform();

const find = (query: Record<string, string>, after?: string) =>
  searchMarketplace(platform, parseMarketplaceFilter(query), after);
const names = async (query: Record<string, string>) =>
  (await find(query)).listings.map(({ appName }) => appName);

/** The apps' names, from all pages, which are the same on the way back. */
async function findAll(query: Record<string, string>): Promise<string[]> {
  const pages: string[][] = [];
  let last: Awaited<ReturnType<typeof find>> | undefined;
  for (let next: string | undefined = ""; next !== undefined; next = last.next) {
    last = await find(query, next);
    pages.push(last.listings.map(({ appName }) => appName));
  }
  for (let at = pages.length - 2; at >= 0; at -= 1) {
    last = await find(query, last?.previous);
    expect(last.listings.map(({ appName }) => appName)).toEqual(pages[at]);
  }
  expect([last?.isFirst, last?.previous]).toEqual([true, undefined]);
  return pages.flat();
}

/** The newest public listings, an hour apart. */
async function givenFillers({ organization }: Member, count: number, since = "2027-01-01") {
  await platform.pool.query(
    `insert into listings (id, organization_id, app_name, title, tagline, about, requirements, state, public_since)
     select gen_random_uuid(), $1, 'newer-' || n, case when n <= 400 then 'Filler' else 'Other' end, 'Fills.', '{}', '{}', 'PUBLIC', $3::timestamptz + n * interval '1 hour'
       from generate_series(1, $2) n`,
    [organization.id, count, since],
  );
}

/** A public listing with this text, whose app has a verified version. */
async function givenApp(publisher: Member, appName: string, text: Record<string, unknown> = {}) {
  const { listing, version } = await givenListing(platform, publisher, {
    appName,
    state: "PUBLIC",
    verified: true,
  });
  const row = { title: appName, tagline: "", category: "other", ...text };
  const about = { product: text.product ?? "", offering: "", company: "" };
  await platform.pool.query(
    "update listings set title = $2, tagline = $3, category = $4, about = $5 where id = $1",
    [...[listing.id, row.title, row.tagline, row.category, about]],
  );
  return { listing, version };
}

// Guarantee: how a word is written is no reason not to find it.
test("accents, width, case, hyphens and apostrophes make no difference, in either direction", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "with", {
    title: "E–mail for Zürich",
    tagline: "Crème brûlée, policyholder’s Straße, Ørsted, ПОЛИС",
  });
  await givenApp(publisher, "without", {
    title: "Email for Zurich",
    tagline: "Creme brulee, policyholders strasse, orsted, полис",
  });
  for (const q of [
    "email",
    "e-mail",
    "E‐MAIL",
    "Ｅｍａｉｌ",
    "zurich",
    "ZÜRICH",
    "zu\u0308rich",
    "creme brûlée",
    "policyholder's",
    "e-mail zürich",
    ...["E—mail", "e\u00ADmail", "STRASSE", "straße", "ørsted", "Orsted", "Полис"],
  ])
    expect((await names({ q })).toSorted(), q).toEqual(["with", "without"]);
  expect(await names({ q: "mail" })).toEqual(["with"]);
  expect(await names({ q: "-" })).toEqual([]);
});

test("an app that was published before searches knew such letters is found, too", async () => {
  const publisher = await givenMember(platform, "acme");
  const migration = async (name: string) => {
    const text = await readFile(path.resolve("drizzle/migrations", name), "utf8");
    return text.split("--> statement-breakpoint");
  };
  const [foldText = "", searchWords = ""] = await migration("0004_search_folded_words.sql");
  for (const statement of [foldText, searchWords])
    await platform.pool.query(statement.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"));
  await platform.pool.query('DROP FUNCTION "fold_letters"');
  await givenApp(publisher, "before", { title: "Straße Ørsted", tagline: "ПОЛИС" });
  const words = async () =>
    (await platform.pool.query("select search::text as words from listings where app_name = 'before'")).rows;
  expect(JSON.stringify(await words())).not.toContain("orsted");
  for (const statement of await migration("0026_search_one_way.sql")) await platform.pool.query(statement);
  for (const q of ["strasse", "orsted", "полис"]) expect(await names({ q }), q).toEqual(["before"]);
});

// Guarantee: an app is found by what it is about, who publishes it, and what it connects to.
test("a search covers titles, taglines, texts, names, publishers, and the verified version's connections", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "vin-lookup", {
    title: "VIN lookup",
    tagline: "Decoding in seconds",
    product: "Fills in <b>motor</b> policies.",
  });
  for (const q of [
    ...[
      "motor",
      "Motors",
      "dec",
      "VIN",
      "vin-look",
      "acme",
      "motor acme",
      "the motor policies",
      "decode",
      "vin!",
    ],
    ...["policy.issued", "issued", "newBusiness", "business", "telematics", "motor telematics"],
  ])
    expect(await names({ q }), q).toEqual(["vin-lookup"]);
  for (const q of ["boat", "motor boat", "zzz"]) expect(await names({ q }), q).toEqual([]);
});

test("names rank before taglines, taglines before connections, connections before texts; then the newest first", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "in-text", { product: "For telematics." });
  await givenApp(publisher, "in-connection");
  await givenApp(publisher, "in-tagline", { tagline: "Telematics for fleets" });
  await givenApp(publisher, "telematics-old");
  await givenApp(publisher, "telematics-new");
  await platform.pool.query(
    "update versions set manifest = manifest - 'core', verified_at = verified_at where listing_id <> (select id from listings where app_name = 'in-connection')",
  );
  await platform.pool.query(
    "update listings set public_since = '2026-01-01' where app_name = 'telematics-old'",
  );
  const ranked = ["telematics-new", "telematics-old", "in-tagline", "in-connection", "in-text"];
  expect(await names({ q: "telematics" })).toEqual(ranked);
  await givenFillers(publisher, 150);
  expect(await names({ q: "telematics" }), "rare words").toEqual(ranked);
});

test("typing errors and beginnings of words find similar ones, and only where nothing matches as typed", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "vin", { title: "Telematics scoring" });
  const hidden = await givenApp(publisher, "secret", { title: "Telemetrics project" });
  await platform.pool.query("update listings set state = 'SUSPENDED' where id = $1", [hidden.listing.id]);
  for (const q of [
    "telmatics",
    "telematcis",
    "Telematiks",
    "sccoring",
    "telem",
    "sco",
    "telmatics scor",
    "telemetrics",
  ])
    expect([await names({ q }), (await find({ q })).similar], q).toEqual([["vin"], true]);
  expect((await find({ q: "telematics" })).similar).toBe(false);
  for (const q of ["xqzw", "project"]) expect(await names({ q }), q).toEqual([]);
});

test("a card shows words, not source", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "vin", {
    product: "<script>alert(1)</script>\n\n| Plan | Price |\n| --- | --- |\n| Basic | $5 |",
  });
  await givenApp(publisher, "rater", { tagline: "By distance.", product: "## Rates" });
  expect((await find({})).listings.map(({ summary }) => summary)).toEqual([
    "By distance.",
    "Plan Price Basic $5",
  ]);
});

test("categories and connections narrow a search down", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "one", { category: "rating" });
  const { version } = await givenApp(publisher, "two", { category: "claims" });
  await platform.pool.query(
    `update versions set manifest = '{"core": {"webhooks": [{"path": "/a", "events": ["a.b"]}]}}', verified_at = now() where id = $1`,
    [version.id],
  );
  expect(await names({ category: "claims" })).toEqual(["two"]);
  expect(await names({ connects: "webhooks" })).toEqual(["two", "one"]);
  expect(await names({ connects: "webhooks,autofill" })).toEqual(["one"]);
  expect(await names({ connects: "raters", category: "claims" })).toEqual([]);
  expect(await names({ q: "one", category: "rating", connects: "raters" })).toEqual(["one"]);
});

const given = (count: number, category: string, publisher: Member) =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      givenApp(publisher, `${category}-${at}`, { category, tagline: "For fleets" }),
    ),
  );

// Guarantee: what a list says it has is what it has.
test("results are counted, in all and in each category, whichever category is shown", async () => {
  const publisher = await givenMember(platform, "acme");
  await given(30, "claims", publisher);
  await given(2, "rating", publisher);
  await givenApp(publisher, "other");
  const counted = async (query: Record<string, string>) => {
    const { total, categories } = await find(query);
    return [total.count, total.isMore, categories];
  };
  expect(await counted({})).toEqual([33, false, { claims: 30, rating: 2, other: 1 }]);
  expect(await counted({ q: "fleets" })).toEqual([32, false, { claims: 30, rating: 2 }]);
  expect(await counted({ q: "fleets", category: "rating" })).toEqual([2, false, { claims: 30, rating: 2 }]);
  expect(await counted({ q: "fleest", category: "rating" })).toEqual([2, false, { claims: 30, rating: 2 }]);
  expect(await counted({ q: "fleets", category: "data" })).toEqual([0, false, { claims: 30, rating: 2 }]);
  expect(await counted({ connects: "endpoints" })).toEqual([0, false, {}]);
  expect(await counted({ q: "xqzw" })).toEqual([0, false, {}]);
  expect((await findAll({ q: "fleets" })).length).toBe(32);
});

test("more matches than anybody counts are said to be more", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "rare", { category: "claims", tagline: "Filler" });
  await givenFillers(publisher, 400);
  await platform.pool.query("update listings set title = 'Filler' where app_name like 'newer-%'");
  await givenFillers(await givenMember(platform, "harbor"), 700);
  await platform.pool.query("update listings set title = 'Filler' where app_name like 'newer-%'");
  const { total, categories } = await find({ q: "filler" });
  expect([total, categories]).toEqual([{ count: 500, isMore: true }, undefined]);
  expect((await find({ q: "filler", category: "claims" })).total).toEqual({ count: 1, isMore: false });
  expect((await find({})).total).toEqual({ count: 1_101, isMore: false });
});

test("those with a connection are counted, whether they are few or many", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenFillers(publisher, 700);
  const connect = (most: number) =>
    platform.pool.query(
      "update listings set connections = '{webhooks}' where app_name in (select 'newer-' || n from generate_series(1, $1) n)",
      [most],
    );
  await connect(400);
  const few = await find({ connects: "webhooks" });
  expect([few.total, few.categories]).toEqual([{ count: 400, isMore: false }, { other: 400 }]);
  await connect(600);
  const many = await find({ connects: "webhooks" });
  expect([many.total, many.categories]).toEqual([{ count: 500, isMore: true }, undefined]);
});

test("of similar words, those are found that are about as long", async () => {
  await givenApp(await givenMember(platform, "acme"), "sanctions", { title: "Sanctions" });
  await platform.pool.query(
    "insert into search_terms select 'my-sanktions-screening-' || n from generate_series(1, 50) n",
  );
  expect(await names({ q: "sanktions" })).toEqual(["sanctions"]);
});

test("a list is sorted by relevance, by age, or by use, page by page", async () => {
  const publisher = await givenMember(platform, "acme");
  for (let at = 0; at < 40; at += 1)
    await givenApp(publisher, `app-${at}`, at % 2 === 0 ? { title: "Claims" } : { product: "About claims." });
  await platform.pool.query(
    "update listings set used_by = case when app_name in ('app-3', 'app-8') then 9 when app_name = 'app-5' then 12 else 0 end",
  );
  const newest = Array.from({ length: 40 }, (_, at) => `app-${39 - at}`);
  const used = ["app-5", "app-8", "app-3"];
  const rest = newest.filter((name) => !used.includes(name));
  expect(await findAll({ sort: "used" })).toEqual([...used, ...rest]);
  // The cards say what they are sorted by.
  expect((await find({ sort: "used" })).listings.slice(0, 4).map(({ usedBy }) => usedBy)).toEqual([
    12, 9, 9, 0,
  ]);
  expect(await findAll({ q: "claims", sort: "used" })).toEqual([...used, ...rest]);
  expect(await findAll({ q: "claims", sort: "newest" })).toEqual(newest);
  expect(await findAll({ q: "claims", sort: "used", category: "other" })).toEqual([...used, ...rest]);
  const ranked = await findAll({ q: "claims" });
  expect(ranked).toEqual([
    ...newest.filter((_, at) => at % 2 === 1),
    ...newest.filter((_, at) => at % 2 === 0),
  ]);
  // Nothing is more relevant than another without a search.
  expect(await findAll({ sort: "relevance" })).toEqual(newest);
});

test("a card says what the version that customers launch connects to", async () => {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenApp(publisher, "vin");
  const core = { ...version.manifest.core, hosts: [{ host: "api.vin.example", purpose: "Data" }] };
  const manifest = { ...version.manifest, core };
  await givenVersion(platform, version, "2.0.0", { manifest });
  await givenVersion(platform, version, "3.0.0", { manifest, verifiedAt: null });
  expect((await find({})).listings).toMatchObject([
    {
      version: "2.0.0",
      connects: ["Reacts to events, fills in forms, prices policies", "Connects to api.vin.example"],
    },
  ]);
});

test("apps that keep data inside are found: what customers launch names no hosts", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "anywhere");
  const give = async (app: string, hosts: { host: string; purpose: string }[]) => {
    const { version } = await givenApp(publisher, app);
    const add = (number: string, named: typeof hosts) =>
      givenVersion(platform, version, number, {
        manifest: { ...version.manifest, core: { ...version.manifest.core, hosts: named } },
      });
    await add("2.0.0", []);
    if (hosts.length > 0) await add("3.0.0", hosts);
  };
  await give("inside", []);
  await give("outside", [{ host: "api.vin.example", purpose: "Data" }]);
  expect(await names({ connects: "core" })).toEqual(["inside"]);
  expect(await names({ connects: "core,webhooks", q: "inside" })).toEqual(["inside"]);
  expect((await find({ connects: "core" })).listings[0]?.connects).toContain("Connects only to your core");
});

test("what only an earlier or an unverified version connected to is not found", async () => {
  const { version } = await givenApp(await givenMember(platform, "acme"), "vin");
  const add = (number: string, event: string, verifiedAt: Date | null) => {
    const core = { webhooks: [{ path: "/events", events: [event] }] };
    return givenVersion(platform, version, number, { manifest: { ...version.manifest, core }, verifiedAt });
  };
  await add("2.0.0", "claim.opened", new Date());
  await add("3.0.0", "shipment.lost", null);
  expect([
    await names({ q: "telematics" }),
    await names({ q: "opened" }),
    await names({ q: "shipment" }),
  ]).toEqual([[], ["vin"], []]);
});

test("pages have no gaps and no duplicates across ranks and among listings of the same moment", async () => {
  const publisher = await givenMember(platform, "acme");
  for (let number = 0; number < 60; number += 1)
    await givenApp(
      publisher,
      `app-${number}`,
      number % 2 === 0 ? { title: "Claims" } : { product: "About claims." },
    );
  await platform.pool.query("update listings set public_since = '2026-01-01T00:00:00.123Z'");
  const all = await findAll({ q: "claims" });
  expect([all.length, new Set(all).size]).toEqual([60, 60]);
  expect(new Set(await findAll({}))).toEqual(new Set(all));
  await givenFillers(publisher, 150);
  expect(await findAll({ q: "claims" }), "rare words").toEqual(all);
});

// Guarantee: the age of a match and how common its words are change only how it is found, not whether.
test("what is older than the newest few hundred is found like they are, in order, and page by page", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "oldest", { title: "Telematics", category: "claims" });
  await givenApp(publisher, "older", { title: "Telematics", category: "rating" });
  await platform.pool.query(
    `update listings set public_since = '2020-01-01'::timestamptz + (app_name = 'older')::int * interval '1 day'`,
  );
  await givenFillers(publisher, 900, "2021-01-01");
  expect(await names({ q: "telematics" })).toEqual(["older", "oldest"]);
  expect(await names({ q: "telmatics" })).toEqual(["older", "oldest"]);
  expect(await names({ q: "telematics", category: "claims" })).toEqual(["oldest"]);
  expect(await names({ q: "telematics", connects: "webhooks" })).toEqual(["older", "oldest"]);
  expect(await names({ connects: "webhooks,autofill" })).toEqual(["older", "oldest"]);
  expect(await names({ connects: "webhooks", category: "rating" })).toEqual(["older"]);
  expect(await findAll({ q: "filler", category: "other" })).toEqual(
    Array.from({ length: 400 }, (_, at) => `newer-${400 - at}`),
  );
});

// Guarantee: a search is text. None of it reaches PostgreSQL as syntax.
test.each([
  ...[
    `id";drop table listings; --`,
    `'; select pg_sleep(9); --`,
    "\0",
    "a\0b",
    "%",
    "_",
    "\\",
    ":*",
    "a:*",
    "!!a",
    "a & | b",
  ],
  ...["<->", "'", '"', "$1", "((((", "\uD800", "\uDC00x", "😀", "²:*", "ﷺ", "10 kB of x", "10 kB of words"],
])("a search for %j answers, and changes nothing", async (typed) => {
  const q = { "10 kB of x": "x".repeat(10_000), "10 kB of words": "a ".repeat(5_000) }[typed] ?? typed;
  await givenApp(await givenMember(platform, "acme"), "vin", { title: "VIN" });
  expect(
    (await find({ q, sort: `id";drop`, category: q, connects: q }, q)).listings.length,
  ).toBeLessThanOrEqual(1);
  expect(await names({})).toEqual(["vin"]);
});

test.each([
  "0.1.x",
  "9.1.00000000-0000-7000-8000-000000000000",
  "0.99999999999999.00000000-0000-7000-8000-000000000000",
  "-",
])("the cursor %j starts at the first page", async (after) => {
  await givenApp(await givenMember(platform, "acme"), "vin");
  expect((await find({}, after)).listings).toHaveLength(1);
});

test("a cursor of a search continues a list that has no ranks", async () => {
  const { listing } = await givenApp(await givenMember(platform, "acme"), "vin");
  const tomorrow = Date.now() + 86_400_000;
  expect((await find({}, `3.${tomorrow}.${listing.id}`)).listings).toHaveLength(1);
  expect((await find({}, `3.1.${listing.id}`)).listings).toHaveLength(0);
});

// Guarantee: only their organization and moderators see listings that aren't public.
test.each<[ListingState, stranger: boolean, own: boolean, moderator: boolean]>([
  ["PUBLIC", true, true, true],
  ["DRAFT", false, true, true],
  ["SUSPENDED", false, true, true],
  ["RETIRED", false, false, false],
])(
  "a %s listing is visible to a stranger: %s, its organization: %s, moderators: %s",
  async (state, ...visible) => {
    const publisher = await givenMember(platform, "acme");
    await givenListing(platform, publisher, { state, verified: true });
    const stranger = await givenMember(platform, "harbor");
    const { organization: _organization, ...person } = await givenMember(platform, "moderation");
    const moderator = { ...person, moderator: true };
    const sees = (actor: Parameters<typeof readMarketplaceListing>[1]) =>
      readMarketplaceListing(platform, actor, "acme", "vin-lookup").then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ code: "NOT_FOUND" });
          return false;
        },
      );
    expect([await sees(stranger), await sees(publisher), await sees(moderator)]).toEqual(visible);
    expect(await sees(undefined)).toBe(visible[0]);
    expect(await sees({ ...publisher, lacksSecondFactor: true })).toBe(visible[0]);
    const shown = visible[0] ? 1 : 0;
    expect(await listNewest(platform, 9)).toHaveLength(shown);
    expect(await names({ q: "vin" })).toHaveLength(shown);
    const index = await (await writeSitemapIndex(platform)).text();
    expect(index.split("<sitemap>").length - 2).toBe(shown);
    const publishers = await (await writeSitemap(platform, "publishers.xml")).text();
    expect(publishers.includes("/publishers/acme")).toBe(visible[0]);
    if (visible[0]) expect((await readPublisher(platform, "acme")).apps).toBe(1);
    else await expect(readPublisher(platform, "acme")).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
);

test("visitors see only verified versions, and the publisher all", async () => {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  await givenVersion(platform, version, "2.0.0", { verifiedAt: null });
  const numbers = async (actor?: Member) =>
    (await readMarketplaceListing(platform, actor, "acme", "vin-lookup")).versions.map(
      ({ number }) => number,
    );
  expect(await numbers()).toEqual(["1.4.0"]);
  expect(await numbers(publisher)).toEqual(["2.0.0", "1.4.0"]);
});

test("all versions are listed, page by page, and the newest stays the newest", async () => {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  await platform.db
    .insert(versions)
    .values(Array.from({ length: 44 }, (_, at) => ({ ...version, id: v7(), number: `2.${at}.0` })));
  const seen: string[] = [];
  let before: string | undefined;
  let back: string | undefined;
  do {
    const page = await readMarketplaceListing(platform, undefined, "acme", "vin-lookup", before);
    expect([page.newest?.number, page.verified?.number]).toEqual(["2.43.0", "2.43.0"]);
    seen.push(...page.versions.map(({ number }) => number));
    [before, back] = [page.pages.next, page.pages.previous];
  } while (before !== undefined);
  const second = await readMarketplaceListing(platform, undefined, "acme", "vin-lookup", back);
  expect(second.versions.map(({ number }) => number)).toEqual(seen.slice(20, 40));
  expect(seen).toEqual([...Array.from({ length: 44 }, (_, at) => `2.${43 - at}.0`), "1.4.0"]);
  const first = await readMarketplaceListing(platform, undefined, "acme", "vin-lookup", "x");
  expect(first.versions[0]?.number).toBe("2.43.0");
});

test("the sitemap's files have each publisher once", async () => {
  const slugs = Array.from({ length: 7 }, (_, at) => `publisher-${at}`);
  for (const slug of slugs) await givenApp(await givenMember(platform, slug), "app");
  const index = await (await writeSitemapIndex(platform, 3)).text();
  const files = [...index.matchAll(/\/sitemaps\/(publishers[^<]*)</g)].map(([, file = ""]) => file);
  expect(files).toEqual(["publishers.xml", "publishers-publisher-3.xml", "publishers-publisher-6.xml"]);
  const texts = await Promise.all(files.map(async (file) => (await writeSitemap(platform, file, 3)).text()));
  const listed = texts.flatMap((text) =>
    [...text.matchAll(/\/publishers\/([^<]+)</g)].map(([, slug]) => slug),
  );
  expect(listed).toEqual(slugs);
});

test("the sitemap's files have each public listing once, at their publishers' addresses", async () => {
  const publisher = await givenMember(platform, "acme");
  for (let number = 0; number < 7; number += 1) await givenApp(publisher, `app-${number}`);
  const index = await (await writeSitemapIndex(platform, 3)).text();
  const files = [...index.matchAll(/\/sitemaps\/([^<]+)</g)].map(([, file = ""]) => file);
  expect(files).toHaveLength(4);
  const texts = await Promise.all(
    files.slice(1).map(async (file) => (await writeSitemap(platform, file, 3)).text()),
  );
  const apps = texts.flatMap((text) =>
    [...text.matchAll(/\/marketplace\/acme\/([^<]+)</g)].map(([, app]) => app),
  );
  expect(apps).toEqual(Array.from({ length: 7 }, (_, number) => `app-${number}`));
  for (const file of ["x.xml", "publishers", "../x.xml", `${v7()}`])
    await expect(writeSitemap(platform, file)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a publisher's page has its profile and public listings, under its new name once it is renamed", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenApp(publisher, "vin");
  await givenApp(await givenMember(platform, "harbor"), "other");
  const { id } = await readPublisher(platform, "acme");
  expect((await listOfPublisher(platform, id)).listings.map(({ appName }) => appName)).toEqual(["vin"]);
  await platform.pool.query(
    "update organizations set name = 'Zenith', description = 'Data for insurers', website = 'https://z.example' where id = $1",
    [id],
  );
  expect(await readPublisher(platform, "acme")).toMatchObject({
    name: "Zenith",
    description: "Data for insurers",
    website: "https://z.example",
    supportAddress: "",
  });
  expect([await names({ q: "zenith" }), await names({ q: "zenit" })]).toEqual([["vin"], ["vin"]]);
});

// Guarantee: a publisher with many new versions that nobody verified yet can still launch the verified one.
test("the verified version of an own listing is found, however many newer ones there are", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  await platform.pool.query(
    `insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest, archive_digest, archive_bytes, published_by)
     select (lpad(to_hex(1900000000000 + n), 12, '0') || '70008000000000000000')::uuid, listing_id, '2.' || n || '.0', manifest, manifest_text,
            image_manifest_text, image_digest, archive_digest, 1, 'x'
       from versions, generate_series(1, 25) n where id = $1`,
    [version.id],
  );
  const { newest, verified } = await readMarketplaceListing(platform, publisher, "acme", listing.appName);
  expect(newest?.number).toBe("2.25.0");
  expect(verified?.number).toBe(version.number);
});

// Guarantee: nothing is cut silently.
test("words of a search that are left out are counted", () => {
  expect(countUnsearched("")).toBe(0);
  expect(countUnsearched("a b c d e f g h")).toBe(0);
  expect(countUnsearched("a b c d e f g h i")).toBe(1);
});

// Guarantee: a repeated search costs the database almost nothing, and nobody gets outdated results.
test("a search is done once until a listing changes", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing } = await givenApp(publisher, "vin", { title: "Vehicles" });
  const query = vi.spyOn(platform.pool, "query");
  onTestFinished(() => query.mockRestore());
  expect(await names({ q: "vehicles" })).toEqual(["vin"]);
  query.mockClear();
  for (let again = 0; again < 3; again += 1) expect(await names({ q: "vehicles" })).toEqual(["vin"]);
  expect(query).toHaveBeenCalledTimes(3);
  const changes: [string, unknown][] = [
    [`update listings set title = 'Boats' where id = '${listing.id}'`, []],
    [`update listings set title = 'Vehicles' where id = '${listing.id}'`, ["acme"]],
    [`update organizations set name = 'Harbor' where id = '${publisher.organization.id}'`, ["Harbor"]],
    [`update listings set state = 'SUSPENDED' where id = '${listing.id}'`, []],
  ];
  for (const [change, publishers] of changes) {
    await platform.pool.query(change);
    const { listings } = await find({ q: "vehicles" });
    expect(listings.map(({ organizationName }) => organizationName)).toEqual(publishers);
  }
});
