import { expect, test } from "vitest";
import type { Endpoint, Manifest } from "@/lib/contract/catalog/manifest";
import { checkManifest } from "./check-manifest";
import {
  allowsMethod,
  coversPath,
  explainMissingEndpoint,
  findEndpoint,
  isPlainPath,
  newlyPublic,
} from "./endpoint";

// Guarantee: `*` stands for one or more segments below its path, and never for that path itself.
test.each([
  ["/settings", "/settings", true],
  ["/settings", "/settings/", false],
  ["/settings", "/settings/a", false],
  ["/callbacks/*", "/callbacks/a", true],
  ["/callbacks/*", "/callbacks/a/b", true],
  ["/callbacks/*", "/callbacks", false],
  ["/callbacks/*", "/callbacks/", false],
  ["/callbacks/*", "/callbacksx/a", false],
])("%s covers %s: %s", (declared, path, covers) => {
  expect(coversPath(declared, path)).toBe(covers);
});

// Guarantee: the most specific endpoint decides, in whatever order they are declared.
test("a public wildcard never opens an endpoint that needs a credential", () => {
  const declared = [{ path: "/a/*" }, { path: "/a/b/*" }, { path: "/a/b" }, { path: "/a/b/c" }];
  for (const endpoints of [declared, [...declared].reverse()]) {
    expect(findEndpoint(endpoints, "/a/b")?.path).toBe("/a/b");
    expect(findEndpoint(endpoints, "/a/b/c")?.path).toBe("/a/b/c");
    expect(findEndpoint(endpoints, "/a/b/d")?.path).toBe("/a/b/*");
    expect(findEndpoint(endpoints, "/a/x")?.path).toBe("/a/*");
    expect(findEndpoint(endpoints, "/b")).toBeUndefined();
  }
});

// Guarantee: HEAD is answered wherever GET is, and nothing else is assumed.
test("methods", () => {
  expect(allowsMethod(["GET"], "HEAD")).toBe(true);
  expect(allowsMethod(["POST"], "HEAD")).toBe(false);
  expect(allowsMethod(["GET"], "get")).toBe(false);
  expect(allowsMethod(["GET", "POST"], "OPTIONS")).toBe(false);
});

// Guarantee: no path can be read by the app's server as another one than the platform matched.
test.each([
  "",
  "x",
  "//",
  "/a//b",
  "/a/",
  "/a/..",
  "/a/../b",
  "/./a",
  "/a/%2e%2e/b",
  "/a/%2E./b",
  "/a%2fb",
  "/a%5Cb",
  "/a\\b",
  "/a/..;/b",
  "/a;x=1",
  "/a%3bx",
  "/a/%252e%252e/b",
  "/a%00",
  "/a%0d%0ab",
  "/a%7f",
  "/a%zz",
  "/a%2",
  "/a b",
  "/ä",
  "/a#b",
  "/a\tb",
  `/${"a".repeat(2048)}`,
])("the path %j is refused", (path) => {
  expect(isPlainPath(path)).toBe(false);
});

test.each([
  "/a",
  "/callbacks/stripe",
  "/files/report.v1.pdf",
  "/u/a@b.example",
  "/x/%20y",
  "/x/%C3%A4",
  "/a/...",
  "/~x/a:b,c",
])("the path %j is accepted", (path) => {
  expect(isPlainPath(path)).toBe(true);
});

const withEndpoints = (...endpoints: Endpoint[]): Manifest => ({
  name: "acme/x",
  version: "1.0.0",
  app: { fields: [] },
  core: { endpoints },
});

// Guarantee: an upgrade asks about every endpoint that becomes reachable for anyone in a way it was not before.
test("newly public endpoints", () => {
  const shown = { path: "/a", methods: ["GET" as const], title: "A" };
  const one: Endpoint = { ...shown, access: "public" };
  const before = withEndpoints(one);
  expect(newlyPublic(before, withEndpoints({ ...one, title: "Other" }))).toEqual([]);
  expect(newlyPublic(undefined, before)).toEqual([shown]);
  expect(newlyPublic(withEndpoints({ ...one, access: "core" }), before)).toEqual([shown]);
  expect(newlyPublic(withEndpoints({ ...one, methods: ["GET", "POST"] }), before)).toEqual([]);
  const methods: Endpoint["methods"] = ["GET", "POST"];
  expect(newlyPublic(before, withEndpoints({ ...one, methods }))).toEqual([{ ...shown, methods }]);
  expect(newlyPublic(before, withEndpoints({ ...one, access: "core" }))).toEqual([]);
});

// Guarantee: whoever calls a path that isn't declared reads the line that declares it. It says nothing about what is declared.
test.each<[string, string, string]>([
  ["GET", "/settings", '{"path":"/settings","methods":["GET"],"access":"public","title":"What it is for"}'],
  ["HEAD", "/", '{"path":"/","methods":["GET"],"access":"public","title":"What it is for"}'],
  ["POST", "/callbacks/acme@1", '"path":"/callbacks/*","methods":["POST"]'],
])("the explanation for %s %s has the line to add", (method, path, line) => {
  const explained = explainMissingEndpoint(method, path);
  expect(explained).toContain(line);
  expect(explained).toMatch(/declares in core\.endpoints, such as .* opens a public one/);
  const added = { ...JSON.parse(/\{.*\}/.exec(explained)?.[0] ?? "") };
  expect(coversPath(added.path, path)).toBe(true);
  const text = {
    name: "acme/x-y",
    version: "1.0.0",
    app: { fields: [] },
    core: { endpoints: [added], hosts: [] },
  };
  expect(checkManifest(JSON.stringify(text)).issues).toEqual([]);
});

test("no line is offered where none can be declared", () => {
  for (const path of ["/health", "/_app", "/_app/install"])
    expect(explainMissingEndpoint("GET", path)).toBe(
      `"${path}" is reserved for the platform, so no endpoint can answer there.`,
    );
  expect(explainMissingEndpoint("GET", "/@acme")).not.toContain("{");
});
