import { expect, test } from "vitest";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { createListing } from "./create-listing";
import { listMarketplace, listOwnListings } from "./list-listings";
import { readMarketplaceListing, readOwnListing } from "./read-listing";

const platform = await testPlatform();
const input = (appName: string) => ({
  appName,
  title: `The ${appName}`,
  about: { product: "It helps.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
});

// Guarantee: a new listing is a draft that its own organization sees and no other.
test("a draft is visible to its own organization alone", async () => {
  const [acme, stranger] = [await givenMember(platform, "acme"), await givenMember(platform, "stranger")];
  await createListing(platform, acme, input("helper"));
  expect((await readOwnListing(platform, acme, "helper")).listing.state).toBe("DRAFT");
  expect((await readMarketplaceListing(platform, acme, "acme", "helper")).own).toBe(true);
  expect((await listMarketplace(platform, acme, {})).listings).toHaveLength(1);

  expect((await listMarketplace(platform, stranger, {})).listings).toHaveLength(0);
  await expect(readMarketplaceListing(platform, stranger, "acme", "helper")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(readOwnListing(platform, stranger, "helper")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee: names are unique in an organization, and free in others.
test("an app name can be taken once an organization", async () => {
  const [acme, other] = [await givenMember(platform, "acme"), await givenMember(platform, "other")];
  await createListing(platform, acme, input("helper"));
  await expect(createListing(platform, acme, input("helper"))).rejects.toMatchObject({ code: "NAME_TAKEN", issues: [{ pointer: "/appName" }] });
  await expect(createListing(platform, other, input("helper"))).resolves.toBeDefined();
});

// Guarantee: a customer is offered verified versions, the publisher its newest.
test("a public listing offers its verified version", async () => {
  const [acme, customer] = [await givenMember(platform, "acme"), await givenMember(platform, "customer")];
  await givenListing(platform, acme, { state: "PUBLIC" });
  expect((await readMarketplaceListing(platform, customer, "acme", "vin-lookup")).newest).toBeUndefined();
  expect((await readMarketplaceListing(platform, acme, "acme", "vin-lookup")).newest).toBeDefined();
  await platform.pool.query("update versions set verified_at = now()");
  expect((await readMarketplaceListing(platform, customer, "acme", "vin-lookup")).newest).toBeDefined();
});

// Guarantee: paging by cursor shows each listing once, and a senseless cursor or search harms nothing.
test("lists are searched and paged", async () => {
  const acme = await givenMember(platform, "acme");
  for (let index = 10; index < 40; index += 1) await createListing(platform, acme, input(`app-${index}`));
  const first = await listOwnListings(platform, acme, {});
  const second = await listOwnListings(platform, acme, { after: first.next });
  expect(new Set([...first.listings, ...second.listings].map((listing) => listing.id)).size).toBe(30);
  expect(second.next).toBeUndefined();
  expect((await listOwnListings(platform, acme, { search: "app-1" })).listings).toHaveLength(10);
  expect((await listOwnListings(platform, acme, { search: "%_\\" })).listings).toHaveLength(0);
  expect((await listOwnListings(platform, acme, { after: 'id";drop' })).listings).toHaveLength(24);
});
