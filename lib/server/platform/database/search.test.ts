import { expect, test } from "vitest";
import { parseMarketplaceFilter } from "@/lib/domain/catalog/marketplace";
import { foldText } from "@/lib/domain/platform/text";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { listApiKeys } from "../../accounts/credentials/manage-api-keys";
import { searchMarketplace } from "../../catalog/marketplace";
import { readOwnListings } from "../../surface/read-own-listings";
import { listInstallations } from "../../installations/list-installations";
import { listTenants } from "../../installations/tenants/read-tenants";
import { listReviews } from "../../moderation/list-reviews";
import { listUsage } from "../../insight/health/read-usage";
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
    await listInstallations(platform, member, { search, after });
    await searchMarketplace(
      platform,
      parseMarketplaceFilter(search === undefined ? {} : { q: search }),
      after,
    );
    await readOwnListings(platform, member, { q: search, after });
    await listReviews(platform, member, { ...query, q: search, publisher: search });
    await listTenants(platform, member, query);
  }
});

// Guarantee: a list that the browser searches and one that the database searches find the same.
test("the database folds each character as pages do", async () => {
  // Letters that only one of the two knows yet are left out: of Unicode 16 and newer.
  const isNew = (point: number) =>
    (point >= 0xa7c0 && point <= 0xa7ff) || (point >= 0x1c80 && point <= 0x1c8f);
  const points = [
    ...Array(0x10000).keys(),
    ...Array.from({ length: 0x1000 }, (_, at) => 0xe0000 + at),
  ].filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff) && !isNew(point));
  const { rows } = await platform.pool.query<{ point: number; folded: string }>(
    "select point, fold_text('A' || chr(point) || 'B') as folded from unnest($1::int[]) as point",
    [points],
  );
  expect(rows).toHaveLength(points.length);
  const differ = rows.filter(({ point, folded }) => folded !== foldText(`A${String.fromCodePoint(point)}B`));
  expect(differ).toEqual([]);
  expect((await platform.pool.query("select fold_text(null) as folded")).rows).toEqual([{ folded: null }]);
});

test("the use of organizations is searched as all lists are", async () => {
  await givenMember(platform, "zurich");
  await platform.pool.query("update organizations set name = 'Zürich E–Mail Straße' where slug = 'zurich'");
  const find = async (search: string) =>
    (await listUsage(platform, { search })).organizations.map(({ slug }) => slug);
  for (const search of ["zurich", "ZÜRICH e-mail", "strasse email", "ｚｕｒｉｃｈ"])
    expect(await find(search), search).toEqual(["zurich"]);
  expect(await find("%")).toEqual([]);
});

test("an empty search matches everything", () => {
  for (const typed of [undefined, "", "  ", "\0"]) expect(searchText(typed)).toBeUndefined();
  expect(searchText("  a\0b ")).toBe("ab");
});
