import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { listings } from "@/drizzle/schema/catalog";
import { LISTING_STATES, type ListingState } from "@/lib/contract/catalog/listing";
import type { Member } from "@/lib/domain/platform/actor";
import { testPlatform } from "@/tests/test-platform";
import { givenUpgradeWorld, SECOND } from "@/tests/upgrade-world";
import { listInstallations, readInstallation } from "./read-installation";

const platform = await testPlatform();

// Guarantee: the list marks an upgrade exactly when the installation's page offers one.
test("the list and the page offer the same version", async () => {
  const world = await givenUpgradeWorld(platform);
  const { listing, customer, publisher } = world;
  const id = await world.launch();
  const trial = await world.launch(publisher, true, false);
  const offered = async (member: Member, installation: string) => {
    const { installations } = await listInstallations(platform, member);
    const row = installations.find((each) => each.id === installation);
    const page = await readInstallation(platform, member, installation);
    expect(row?.upgradeTo).toBe(page.upgradeTo?.number ?? null);
    return row?.upgradeTo;
  };
  const move = (state: ListingState) =>
    platform.db.update(listings).set({ state }).where(eq(listings.id, listing.id));

  expect(await offered(customer, id)).toBe("2.0.0");
  // Ten is more than two, and only the publisher can use a version that is not verified.
  await world.addVersion({ ...SECOND, version: "10.0.0" }, false);
  expect(await offered(customer, id)).toBe("2.0.0");
  expect(await offered(publisher, trial)).toBe("10.0.0");
  for (const state of LISTING_STATES) {
    await move(state);
    expect(await offered(customer, id), state).toBe(state === "PUBLIC" ? "2.0.0" : null);
    expect(await offered(publisher, trial), state).toBe(state === "RETIRED" ? null : "10.0.0");
  }
});
