import { v7 } from "uuid";
import { expect, test } from "vitest";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { openSetting, sealSetting } from "./data-key";

const platform = await testPlatform();

// Guarantee (P12): a ciphertext moved to another field, installation or organization fails closed.
test("a sealed value opens in its own place alone", async () => {
  const acme = await givenMember(platform, "acme");
  const other = await givenMember(platform, "other");
  const place = { organizationId: acme.organization.id, installationId: v7(), name: "apiKey" };
  const sealed = await sealSetting(platform, platform.db, place, "s3cret-täxt");
  await sealSetting(
    platform,
    platform.db,
    { ...place, organizationId: other.organization.id },
    "makes the other data key",
  );

  expect(await openSetting(platform, platform.db, place, sealed)).toBe("s3cret-täxt");
  const moved = [{ name: "note" }, { installationId: v7() }, { organizationId: other.organization.id }];
  for (const change of moved) {
    await expect(openSetting(platform, platform.db, { ...place, ...change }, sealed)).rejects.toThrow();
  }
});

// Guarantee: a data key wrapped for one organization is of no use in another's row.
test("a data key swapped between organizations fails closed", async () => {
  const acme = await givenMember(platform, "acme");
  const other = await givenMember(platform, "other");
  const place = { organizationId: acme.organization.id, installationId: v7(), name: "apiKey" };
  const sealed = await sealSetting(platform, platform.db, place, "s3cret");
  await sealSetting(platform, platform.db, { ...place, organizationId: other.organization.id }, "x");
  await platform.pool.query(
    "update data_keys set wrapped = (select wrapped from data_keys where organization_id = $2) where organization_id = $1",
    [acme.organization.id, other.organization.id],
  );
  await expect(openSetting(platform, platform.db, place, sealed)).rejects.toThrow();
});

// Guarantee: two first seals at once end with one data key.
test("an organization gets one data key, however many ask first", async () => {
  const acme = await givenMember(platform, "acme");
  const place = { organizationId: acme.organization.id, installationId: v7(), name: "apiKey" };
  const sealed = await Promise.all(
    Array.from({ length: 8 }, (_, index) => sealSetting(platform, platform.db, place, `value ${index}`)),
  );
  const opened = await Promise.all(sealed.map((one) => openSetting(platform, platform.db, place, one)));
  expect(opened).toEqual(Array.from({ length: 8 }, (_, index) => `value ${index}`));
});
