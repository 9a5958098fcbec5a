import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { draw, serveSocialImage } from "./social-image";

const platform = await testPlatform();

// Guarantee: a name in any script or with emoji makes the platform fetch neither fonts nor pictures.
test("drawing fetches nothing, whatever the names contain", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("fetched"));
  const text = {
    tagline: "漢字 और 🚗",
    organizationName: "Ωmega",
    appName: "vin",
    category: "data" as const,
  };
  for (const title of ["VIN 🚗 查詢", "查詢", "Zażółć", "\u202Egnp", "A".repeat(80)]) {
    const { format, width, height } = await sharp(await draw({ ...text, title })).metadata();
    expect([format, width, height]).toEqual(["png", 1200, 630]);
  }
  expect(fetched.mock.calls.filter(([url]) => /^https?:/.test(String(url)))).toEqual([]);
  fetched.mockRestore();
});

test("only public listings have a picture, also for those who may see others", async () => {
  const publisher = await givenMember(platform, "acme");
  await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  await givenListing(platform, publisher, { state: "DRAFT", appName: "draft" });
  expect((await serveSocialImage(platform, "acme", "vin-lookup")).headers.get("content-type")).toBe(
    "image/png",
  );
  for (const app of ["draft", "absent"])
    await expect(serveSocialImage(platform, "acme", app)).rejects.toMatchObject({ code: "NOT_FOUND" });
});
