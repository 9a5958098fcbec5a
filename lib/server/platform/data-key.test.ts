import { v7 } from "uuid";
import { expect, test } from "vitest";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { openSetting, sealSetting } from "./data-key";

const platform = await testPlatform();

// Guarantee: concurrent first uses create one data key.
test("an organization gets one data key, even from concurrent first uses", async () => {
  const acme = await givenMember(platform, "acme");
  const place = { organizationId: acme.organization.id, installationId: v7(), name: "apiKey" };
  const sealed = await Promise.all(
    Array.from({ length: 8 }, (_, index) => sealSetting(platform, platform.db, place, `value ${index}`)),
  );
  const opened = await Promise.all(sealed.map((one) => openSetting(platform, platform.db, place, one)));
  expect(opened).toEqual(Array.from({ length: 8 }, (_, index) => `value ${index}`));
});
