import { expect, test } from "vitest";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { listApiKeys } from "../api-keys/manage-api-keys";
import { listInstallations } from "../installations/list-installations";
import { listMarketplace, listOwnListings } from "../listings/list-listings";
import { listReviews } from "../reviews/read-reviews";
import { listTenants } from "../tenants/list-tenants";
import { searchText } from "./search";

const platform = await testPlatform();

// Guarantee: whatever an edited address says, a list is shown; what was typed is looked for literally.
test("no list falls over what stands in its address", async () => {
  const member = await givenMember(platform, "reader");
  const searches = ["\0", "a\0b", "%", "_", "\\", "'; drop table tenants; --", "x".repeat(20_000), "\uD800"];
  const cursors = [
    "-".repeat(36),
    "\0",
    "'; drop",
    Buffer.from(`["\\u0000","${member.userId}"]`).toString("base64url"),
  ];
  for (const [search, after] of [
    ...searches.map((typed) => [typed, undefined] as const),
    ...cursors.map((cursor) => [undefined, cursor] as const),
  ]) {
    const query = { search, after };
    await listApiKeys(platform, member, query);
    await listInstallations(platform, member, { search, before: after });
    await listMarketplace(platform, member, query);
    await listOwnListings(platform, member, query);
    await listReviews(platform, query);
    await listTenants(platform, member, query);
  }
});

test("a search for nothing is none", () => {
  for (const typed of [undefined, "", "  ", "\0"]) expect(searchText(typed)).toBeUndefined();
  expect(searchText("  a\0b ")).toBe("ab");
});
