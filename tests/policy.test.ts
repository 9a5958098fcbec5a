import { expect, test } from "vitest";
import { admit, PAGE_POLICY, ROUTE_POLICY } from "@/lib/domain/accounts/policy";
import type { Actor } from "@/lib/domain/platform/actor";
import { filesOnDisk, handlersIn, listApiRoutes } from "./routes-on-disk";

/** Those with a file of their own. The catch-all's handlers carry the name of their row. */
const routes = filesOnDisk("route.ts").filter(({ path }) => path !== "/api/[...path]");
const pages = filesOnDisk("page.tsx");

// Guarantee (P4): a route handler without a row in the policy table fails this test, and so does a row without a handler.
test("every route handler has a row, and every row a handler", async () => {
  const names = (await listApiRoutes()).map(({ routeName }) => routeName);
  expect([...routes.flatMap(handlersIn), ...names].sort()).toEqual(Object.keys(ROUTE_POLICY).sort());
});

// Guarantee: a handler enforces its own row.
test("every route handler passes its own row to the wrapper", () => {
  for (const { path, file, source } of routes.filter((each) => !each.path.includes("nextauth"))) {
    for (const [, method] of source.matchAll(/export const ([A-Z]+) = /g)) {
      expect(source, file).toContain(`export const ${method} = route("${method} ${path}"`);
    }
  }
});

test("every page has a row and enforces it, and every row has a page", () => {
  expect(pages.map(({ path }) => path).sort()).toEqual(Object.keys(PAGE_POLICY).sort());
  for (const { path, file, source } of pages)
    expect(source.replace(/page\(\s+/, "page("), file).toContain(`export default page("${path}"`);
});

// Guarantee: with several tabs open, each tab's title says what it shows.
test("every page of one object names it in its title", () => {
  const ofObjects = pages.filter(({ path }) => path.includes("["));
  expect(ofObjects.length).toBeGreaterThan(4);
  for (const { path, file, source } of ofObjects) {
    expect(source.replace(/titled\(\s+/, "titled("), file).toContain(`generateMetadata = titled("${path}"`);
  }
});

const person = { userId: "u", sessionId: "s", name: "n", email: "e", moderator: false };
const withRole = (role: "owner" | "publisher" | "operator"): Actor => ({
  ...person,
  organization: { id: "o", slug: "o", name: "o", role },
});

// Guarantee: the rule, cell by cell.
test.each([
  ["public", undefined, "admitted"],
  ["account", undefined, "not-signed-in"],
  ["account", { ...person, lacksSecondFactor: true }, "admitted"],
  ["signed-in", undefined, "not-signed-in"],
  ["signed-in", { ...person, lacksSecondFactor: true }, "second-factor-needed"],
  ["moderator", { ...person, moderator: true, lacksSecondFactor: true }, "second-factor-needed"],
  [["owner"], { ...withRole("owner"), lacksSecondFactor: true }, "second-factor-needed"],
  ["signed-in", person, "admitted"],
  ["moderator", undefined, "not-signed-in"],
  ["moderator", withRole("owner"), "not-allowed"],
  ["moderator", { ...person, moderator: true }, "admitted"],
  ["moderator-or-publisher", undefined, "not-signed-in"],
  ["moderator-or-publisher", person, "not-allowed"],
  ["moderator-or-publisher", withRole("operator"), "not-allowed"],
  ["moderator-or-publisher", withRole("publisher"), "admitted"],
  ["moderator-or-publisher", withRole("owner"), "admitted"],
  ["moderator-or-publisher", { ...person, moderator: true }, "admitted"],
  ["moderator-or-publisher", { ...withRole("operator"), moderator: true }, "admitted"],
  ["moderator-or-publisher", { ...withRole("owner"), lacksSecondFactor: true }, "second-factor-needed"],
  [["owner"], undefined, "not-signed-in"],
  [["owner"], person, "not-allowed"],
  [["owner"], { ...person, moderator: true }, "not-allowed"],
  [["owner"], withRole("publisher"), "not-allowed"],
  [["owner", "publisher"], withRole("publisher"), "admitted"],
  [["owner", "operator"], withRole("operator"), "admitted"],
] as const)("%j for %j is %s", (audience, actor, expected) => {
  expect(admit(audience, actor)).toBe(expected);
});
