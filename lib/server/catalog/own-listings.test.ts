import { expect, test } from "vitest";
import type { ListingInput } from "@/lib/contract/catalog/listing";
import { givenListing, givenMember, givenVersion, testPlatform } from "@/tests/test-platform";
import { readOwnApp, readOwnVersions } from "../surface/read-own-listing";
import { readOwnListings } from "../surface/read-own-listings";
import { createListing, ensureListing } from "./own-listings";

const platform = await testPlatform();

const input = (appName: string, title = appName): ListingInput => ({
  appName,
  title,
  about: { product: "Looks up a VIN.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
});

test("a new listing is a draft that only its organization sees", async () => {
  const [publisher, stranger] = [await givenMember(platform, "acme"), await givenMember(platform, "harbor")];
  await createListing(platform, publisher, input("vin"));
  expect((await readOwnApp(platform, publisher, "vin")).listing.state).toBe("DRAFT");
  expect((await readOwnListings(platform, publisher, {})).rows).toHaveLength(1);
  expect((await readOwnListings(platform, stranger, {})).rows).toEqual([]);
  await expect(readOwnApp(platform, stranger, "vin")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a name that is taken is refused at its field and changes nothing", async () => {
  const publisher = await givenMember(platform, "acme");
  await createListing(platform, publisher, input("vin"));
  const again = createListing(platform, publisher, input("vin"));
  await expect(again).rejects.toMatchObject({ code: "NAME_TAKEN", issues: [{ pointer: "/appName" }] });
  const { rows } = await platform.pool.query("select action from audit");
  expect(rows).toEqual([{ action: "listing.create" }]);
});

// Guarantee: a tool may repeat its request, also while the first is under way.
test("a listing that is ensured several times at once is created once", async () => {
  const publisher = await givenMember(platform, "acme");
  const results = await Promise.all(
    Array.from({ length: 5 }, () => ensureListing(platform, publisher, input("vin"))),
  );
  expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(results.map(({ listing }) => listing.id)).size).toBe(1);
  const { rows } = await platform.pool.query("select action from audit");
  expect(rows).toEqual([{ action: "listing.create" }]);
});

test("two organizations may each have an app with the same name", async () => {
  await createListing(platform, await givenMember(platform, "acme"), input("vin"));
  await expect(
    createListing(platform, await givenMember(platform, "harbor"), input("vin")),
  ).resolves.toBeDefined();
});

// Guarantee: PostgreSQL's limit on indexed text refuses no manifest.
test("a manifest with more events than can be indexed is stored", async () => {
  const { version } = await givenListing(platform, await givenMember(platform, "acme"));
  const events = Array.from({ length: 12_000 }, (_, at) => `event${at}.${"x".repeat(80)}`);
  const manifest = { ...version.manifest, core: { webhooks: [{ path: "/events", events }] } };
  await expect(givenVersion(platform, version, "2.0.0", { manifest })).resolves.toBeDefined();
});

// Guarantee: a publisher sees each of many versions once, each with its own newest review, and what they are together.
test("the versions of a listing come in pages", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher, { appName: "vin" });
  await platform.pool.query(
    `insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest, archive_digest, archive_bytes, published_by, verified_at)
     select (lpad(to_hex(1900000000000 + n), 12, '0') || '70008000000000000000')::uuid, listing_id, '2.' || n || '.0', manifest, manifest_text,
            image_manifest_text, image_digest, archive_digest, 1, 'x', case when n = 3 then now() end
       from versions, generate_series(1, 30) n where id = $1`,
    [version.id],
  );
  await platform.pool.query(
    `insert into reviews (id, listing_id, version_id, text, state, submitted_by, decided_at)
     select gen_random_uuid(), v.listing_id, v.id, '{}', (case when number = '2.3.0' then 'APPROVED' else 'REJECTED' end)::review_state, $2, now()
       from versions v where v.listing_id = $1 and number in ('2.3.0', '2.30.0')`,
    [listing.id, publisher.userId],
  );
  const own = (await readOwnApp(platform, publisher, "vin")).listing;
  const read = (query: Parameters<typeof readOwnVersions>[3]) =>
    readOwnVersions(platform, publisher, own, query);
  const first = await read({});
  const pages = [first];
  for (let last = first; last.pages.next !== undefined; pages.push(last))
    last = await read({ after: last.pages.next });
  const all = pages.flatMap((each) => each.versions);
  expect(all.map(({ number }) => number)).toEqual([
    ...Array.from({ length: 30 }, (_, at) => `2.${30 - at}.0`),
    version.number,
  ]);
  expect(pages.length).toBe(2);
  expect(first).toMatchObject({ total: 31, sort: "newest" });
  const numbers = async (sort: string) => (await read({ sort })).versions.map(({ number }) => number);
  expect((await numbers("lowest")).slice(0, 3)).toEqual(["1.4.0", "2.1.0", "2.2.0"]);
  expect((await numbers("highest")).slice(0, 3)).toEqual(["2.30.0", "2.29.0", "2.28.0"]);
  expect((await numbers("oldest"))[0]).toBe("1.4.0");
  const { next } = (await read({ sort: "lowest" })).pages;
  expect((await read({ sort: "lowest", after: next })).versions.at(-1)?.number).toBe("2.30.0");
  expect(all.filter(({ review }) => review !== null).map(({ number, review }) => [number, review])).toEqual([
    ["2.30.0", "REJECTED"],
    ["2.3.0", "APPROVED"],
  ]);
  expect(pages.at(-1)).toMatchObject({
    newest: { number: "2.30.0" },
    verified: "2.3.0",
    highestVerified: "2.3.0",
    isWaiting: false,
  });
  expect((await read({ after: "nonsense", sort: "nonsense" })).versions[0]?.number).toBe("2.30.0");
});
