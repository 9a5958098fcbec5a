import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Actor } from "@/lib/domain/actor";
import { admit, PAGE_POLICY, ROUTE_POLICY } from "@/lib/domain/policy";

const APP = path.join(import.meta.dirname, "..", "app");
const METHOD = /export const (GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|export \{[^}]*\}/g;

function files(name: string): string[] {
  return readdirSync(APP, { recursive: true, encoding: "utf8" }).filter(
    (file) => path.basename(file) === name,
  );
}

/** The URL path of a file under app/, without route groups. */
function routePath(file: string): string {
  const parts = path
    .dirname(file)
    .split(path.sep)
    .filter((part) => part !== "." && !/^\(.*\)$/.test(part));
  return `/${parts.join("/")}`;
}

// Guarantee (P4): a route handler without a row in the policy table fails this test, and so does a row without a handler.
test("every route handler has a row, and every row a handler", () => {
  const onDisk = files("route.ts").flatMap((file) => {
    const source = readFileSync(path.join(APP, file), "utf8");
    const methods = [...source.matchAll(METHOD)].flatMap(
      (match) => match[1] ?? [...match[0].matchAll(/as (\w+)/g)].map((one) => one[1] ?? ""),
    );
    return methods.map((method) => `${method} ${routePath(file)}`);
  });
  expect(onDisk.sort()).toEqual(Object.keys(ROUTE_POLICY).sort());
});

// Guarantee: a handler enforces its own row.
test("every route handler passes its own row to the wrapper", () => {
  for (const file of files("route.ts").filter((file) => !file.includes("nextauth"))) {
    const source = readFileSync(path.join(APP, file), "utf8");
    for (const [, method] of source.matchAll(/export const ([A-Z]+) = /g)) {
      expect(source, file).toContain(`export const ${method} = route("${method} ${routePath(file)}"`);
    }
  }
});

test("every page has a row and enforces it, and every row has a page", () => {
  const pages = files("page.tsx");
  expect(pages.map(routePath).sort()).toEqual(Object.keys(PAGE_POLICY).sort());
  for (const file of pages) {
    expect(readFileSync(path.join(APP, file), "utf8"), file).toContain(
      `export default page("${routePath(file)}"`,
    );
  }
});

// Guarantee: with several tabs open, each tab's title says what it shows.
test("every page of one object names it in its title", () => {
  const ofObjects = files("page.tsx").filter((file) => file.includes("["));
  expect(ofObjects.length).toBeGreaterThan(4);
  for (const file of ofObjects) {
    const source = readFileSync(path.join(APP, file), "utf8").replace(/titled\(\s+/, "titled(");
    expect(source, file).toContain(`generateMetadata = titled("${routePath(file)}"`);
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
  [["owner"], undefined, "not-signed-in"],
  [["owner"], person, "not-allowed"],
  [["owner"], { ...person, moderator: true }, "not-allowed"],
  [["owner"], withRole("publisher"), "not-allowed"],
  [["owner", "publisher"], withRole("publisher"), "admitted"],
  [["owner", "operator"], withRole("operator"), "admitted"],
] as const)("%j for %j is %s", (audience, actor, expected) => {
  expect(admit(audience, actor)).toBe(expected);
});
