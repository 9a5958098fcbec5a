import { v7 } from "uuid";
import { expect, test } from "vitest";
import { versions } from "@/drizzle/schema/listings";
import type { ListingInput } from "@/lib/contract/listing";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { createListing } from "./create-listing";
import { listMarketplace, listOwnListings } from "./list-listings";
import { readMarketplaceListing, readOwnListing } from "./read-listing";

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
  expect((await readOwnListing(platform, publisher, "vin")).listing.state).toBe("DRAFT");
  expect((await listMarketplace(platform, publisher, {})).listings).toHaveLength(1);
  expect((await listMarketplace(platform, stranger, {})).listings).toEqual([]);
  await expect(readMarketplaceListing(platform, stranger, "acme", "vin")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(readOwnListing(platform, stranger, "vin")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a name that is taken is refused at its field and changes nothing", async () => {
  const publisher = await givenMember(platform, "acme");
  await createListing(platform, publisher, input("vin"));
  const again = createListing(platform, publisher, input("vin"));
  await expect(again).rejects.toMatchObject({ code: "NAME_TAKEN", issues: [{ pointer: "/appName" }] });
  const { rows } = await platform.pool.query("select action from audit");
  expect(rows).toEqual([{ action: "listing.create" }]);
});

test("two organizations may each have an app with the same name", async () => {
  await createListing(platform, await givenMember(platform, "acme"), input("vin"));
  await expect(
    createListing(platform, await givenMember(platform, "harbor"), input("vin")),
  ).resolves.toBeDefined();
});

test("customers see the newest verified version, and the publisher the newest one", async () => {
  const [publisher, customer] = [await givenMember(platform, "acme"), await givenMember(platform, "harbor")];
  await givenListing(platform, publisher, { state: "PUBLIC" });
  expect((await readMarketplaceListing(platform, customer, "acme", "vin-lookup")).newest).toBeUndefined();
  expect((await readMarketplaceListing(platform, publisher, "acme", "vin-lookup")).newest?.number).toBe(
    "1.4.0",
  );
});

test.each(["SUSPENDED", "RETIRED"] as const)(
  "a %s listing is in no other organization's marketplace",
  async (state) => {
    await givenListing(platform, await givenMember(platform, "acme"), { state, verified: true });
    const customer = await givenMember(platform, "harbor");
    expect((await listMarketplace(platform, customer, {})).listings).toEqual([]);
    await expect(readMarketplaceListing(platform, customer, "acme", "vin-lookup")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  },
);

test("pages have no gaps and no duplicates, even among equal titles", async () => {
  const publisher = await givenMember(platform, "acme");
  for (let number = 0; number < 27; number += 1)
    await createListing(platform, publisher, input(`app-${number}`, "Same title"));
  const first = await listOwnListings(platform, publisher, {});
  const second = await listOwnListings(platform, publisher, { after: first.next });
  expect([first.listings.length, second.listings.length, second.next]).toEqual([24, 3, undefined]);
  expect(new Set([...first.listings, ...second.listings].map((listing) => listing.id)).size).toBe(27);
});

test("a search is literal, and an invalid cursor shows the first page", async () => {
  const publisher = await givenMember(platform, "acme");
  await createListing(platform, publisher, input("rate", "100% rating"));
  await createListing(platform, publisher, input("vin", "VIN"));
  const titles = async (query: { search?: string; after?: string }) =>
    (await listOwnListings(platform, publisher, query)).listings.map((listing) => listing.title);
  expect(await titles({ search: "0%" })).toEqual(["100% rating"]);
  expect(await titles({ search: "_" })).toEqual([]);
  expect(await titles({ after: "']; drop" })).toHaveLength(2);
});

// Guarantee: an app is found by what it is about, who publishes it, and what it connects to.
test("a search covers titles, texts, names, publishers, and the verified version's connections", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const about = { product: "Fills in <b>motor</b> policies.", offering: "Free for brokers.", company: "" };
  await platform.pool.query("update listings set about = $1", [about]);
  await createListing(platform, publisher, input("other"));
  const customer = await givenMember(platform, "harbor");
  const find = async (search: string, member = customer) =>
    (await listMarketplace(platform, member, { search })).listings.map(({ id }) => id);
  for (const search of [
    ...["motor", "Motors", "mot", "broker", "VIN", "vin-look", "acme", "motor acme", "the motor policies"],
    ...["policy.issued", "issued", "newBusiness", "business", "telematics", "motor telematics"],
  ])
    expect(await find(search), search).toEqual([listing.id]);
  for (const search of ["boat", "motor boat", "autofill", "otor", "' & !x:*", "\\", "()"])
    expect(await find(search), search).toEqual([]);
});

test("what only an earlier or an unverified version connected to is not found", async () => {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const find = async (search: string) =>
    (await listMarketplace(platform, publisher, { search })).listings.length;
  const add = (number: string, verifiedAt: Date | null) => {
    const core = { webhooks: [{ path: "/events", events: [`claim${number}.opened`] }] };
    const row = { ...version, id: v7(), number, manifest: { ...version.manifest, core }, verifiedAt };
    return platform.db.insert(versions).values(row);
  };
  await add("2.0.0", new Date());
  await add("3.0.0", null);
  expect([await find("telematics"), await find("opened"), await find("claim3")]).toEqual([0, 1, 0]);
});

// Guarantee: PostgreSQL's limit on indexed text refuses no manifest.
test("a manifest with more events than can be indexed is stored", async () => {
  const { version } = await givenListing(platform, await givenMember(platform, "acme"));
  const events = Array.from({ length: 12_000 }, (_, at) => `event${at}.${"x".repeat(80)}`);
  const manifest = { ...version.manifest, core: { webhooks: [{ path: "/events", events }] } };
  await expect(
    platform.db.insert(versions).values({ ...version, id: v7(), number: "2.0.0", manifest }),
  ).resolves.toBeDefined();
});
