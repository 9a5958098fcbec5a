import { expect, test } from "vitest";
import { createListing } from "../catalog/own-listings";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { readOwnListings } from "./read-own-listings";

const platform = await testPlatform();

const input = (appName: string, title = appName) => ({
  appName,
  title,
  about: { product: "Looks up a VIN.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
});

// Guarantee: the pages together are the whole list, in every order, and back again.
test("pages have no gaps and no duplicates, even among equal titles", async () => {
  const publisher = await givenMember(platform, "acme");
  for (let number = 0; number < 43; number += 1)
    await createListing(platform, publisher, input(`app-${number}`, "Same title"));
  for (const sort of ["title", "newest", "customers", "calls"]) {
    const read = (after?: string) => readOwnListings(platform, publisher, { sort, after });
    const first = await read();
    const second = await read(first.pages.next);
    const third = await read(second.pages.next);
    expect([first.rows.length, second.rows.length, third.rows.length]).toEqual([20, 20, 3]);
    expect([first.total, third.pages.next, first.pages.isFirst]).toEqual([43, undefined, true]);
    const all = [...first.rows, ...second.rows, ...third.rows].map(({ appName }) => appName);
    expect(new Set(all).size).toBe(43);
    expect((await read(third.pages.previous)).rows).toEqual(second.rows);
    expect((await read(second.pages.previous)).rows).toEqual(first.rows);
  }
});

// Guarantee: what happens between two pages neither skips nor repeats a row.
test.each(["title", "newest"])(
  "a rename and a new listing between two pages by %s move no row",
  async (sort) => {
    const publisher = await givenMember(platform, "acme");
    for (let number = 0; number < 25; number += 1)
      await createListing(platform, publisher, input(`app-${number}`, `Title ${10 + number}`));
    const read = (after?: string) => readOwnListings(platform, publisher, { sort, after });
    const first = await read();
    const rest = (await read(first.pages.next)).rows;
    const names = first.rows.map(({ appName }) => appName);
    await platform.pool.query("update listings set title = 'Zzz' where app_name = $1", [names[3]]);
    const isRenamed = ({ appName }: { appName: string }) => appName === names[3];
    const readRest = async () => (await read(first.pages.next)).rows.filter((row) => !isRenamed(row));
    expect(await readRest()).toEqual(rest);
    for (const name of ["new", "newer"]) await createListing(platform, publisher, input(name, "A new one"));
    expect(await readRest()).toEqual(rest);
  },
);

test("a search is literal, and an invalid cursor shows the first page", async () => {
  const publisher = await givenMember(platform, "acme");
  await createListing(platform, publisher, input("rate", "100% rating"));
  await createListing(platform, publisher, input("vin", "VIN"));
  const titles = async (query: { q?: string; after?: string }) =>
    (await readOwnListings(platform, publisher, query)).rows.map(({ title }) => title);
  expect(await titles({ q: "0%" })).toEqual(["100% rating"]);
  expect(await titles({ q: "_" })).toEqual([]);
  expect(await titles({ after: "']; drop" })).toHaveLength(2);
});

// Guarantee: a publisher sees who uses each app, and a retired one stays in the list with nothing left to do.
test("rows say the version, the customers and the state, in the order that is asked for", async () => {
  const publisher = await givenMember(platform, "acme");
  await createListing(platform, publisher, input("alpha", "Alpha"));
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const customer = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, customer);
  await givenInstallation(platform, customer, version, tenant.id);
  await platform.pool.query("update listings set state = 'RETIRED' where app_name = 'alpha'");
  const { rows } = await readOwnListings(platform, publisher, { sort: "customers" });
  expect(rows).toMatchObject([
    { appName: "vin-lookup", version: "1.4.0", customers: 1, state: "PUBLIC" },
    { appName: "alpha", version: null, customers: 0, state: "RETIRED", notes: [] },
  ]);
});
