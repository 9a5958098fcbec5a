import { expect, test } from "vitest";
import { parseMarketplaceFilter } from "@/lib/domain/catalog/marketplace";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { listApiKeys } from "../../accounts/credentials/manage-api-keys";
import { searchMarketplace } from "../../catalog/marketplace";
import { listOwnListings } from "../../catalog/own-listings";
import { listInstallations } from "../../installations/read-installation";
import { listTenants } from "../../installations/tenants/read-tenants";
import { listReviews } from "../../moderation/list-reviews";
import { searchText } from "./expressions";

const platform = await testPlatform();

// Guarantee: a list page works with any URL, and the search text is taken literally.
test("no search or cursor in a URL breaks a list", async () => {
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
    await searchMarketplace(
      platform,
      parseMarketplaceFilter(search === undefined ? {} : { q: search }),
      after,
    );
    await listOwnListings(platform, member, query);
    await listReviews(platform, member, { ...query, q: search, publisher: search });
    await listTenants(platform, member, query);
  }
});

test("an empty search matches everything", () => {
  for (const typed of [undefined, "", "  ", "\0"]) expect(searchText(typed)).toBeUndefined();
  expect(searchText("  a\0b ")).toBe("ab");
});
