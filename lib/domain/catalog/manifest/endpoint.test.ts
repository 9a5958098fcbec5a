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
  redirectTarget,
  requestHeaders,
  responseHeaders,
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

// Guarantee: an app never receives the platform's cookies or credentials, nor headers that only the platform may set.
test("headers of the connection, of proxies and with credentials are withheld", () => {
  const passed = {
    "content-type": "application/json",
    "stripe-signature": "t=1,v1=abc",
    "webhook-id": "msg_1",
    accept: "text/html",
    "x-api-key": "of the third party",
  };
  expect(
    requestHeaders({
      ...passed,
      host: "gateway",
      cookie: "session=1",
      authorization: "Bearer core",
      "proxy-authorization": "Basic x",
      "x-platform-key": "psk_forged",
      "x-forwarded-for": "10.0.0.1",
      "x-http-method-override": "DELETE",
      "accept-encoding": "gzip",
      "content-length": "5",
      "transfer-encoding": "chunked",
      te: "trailers",
      upgrade: "h2c",
      connection: "keep-alive, X-Secret-Hop",
      "x-secret-hop": "1",
    }),
  ).toEqual(passed);
});

// Guarantee: an app's answer can neither set cookies nor open CORS, and its pages run sandboxed, whatever it sends.
test("only harmless headers of an app pass, and the platform's own always win", () => {
  expect(
    responseHeaders({
      "content-type": "text/html",
      etag: '"1"',
      "set-cookie": ["a=1", "b=2"],
      "access-control-allow-origin": "*",
      "content-security-policy": "sandbox allow-same-origin",
      "x-content-type-options": "",
      "strict-transport-security": "max-age=1",
      "clear-site-data": "*",
      "service-worker-allowed": "/",
      refresh: "0; url=https://evil.example",
      link: "<https://evil.example>; rel=preload",
      "www-authenticate": "Basic",
      "x-frame-options": "ALLOWALL",
      "transfer-encoding": "chunked",
      location: "https://evil.example",
    }),
  ).toEqual({
    "content-type": "text/html",
    etag: '"1"',
    "cache-control": "no-store",
    "content-security-policy":
      "sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  expect(responseHeaders({ "cache-control": "max-age=60" })["cache-control"]).toBe("max-age=60");
});

// Guarantee: a redirect of an app stays below the installation's URL.
test.each([
  ["/done", "/r/b/done"],
  ["done?ok=1#top", "/r/b/a/done?ok=1#top"],
  ["?ok=1", "/r/b/a/start?ok=1"],
  ["../up", "/r/b/up"],
  ["https://evil.example/", undefined],
  ["//evil.example/", undefined],
  ["/\\evil.example", undefined],
  ["\\\\evil.example", undefined],
  ["javascript:alert(1)", undefined],
  ["/a//b", undefined],
  ["/%2e%2e/x", "/r/b/x"],
  ["/%2f%2fevil.example", undefined],
  ["/", "/r/b/"],
  ["/a\tb", undefined],
  ["http://", undefined],
])("a redirect to %j leads to %j", (location, target) => {
  expect(redirectTarget(location, "/a/start", "/r/b")).toBe(target);
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
  const text = { name: "acme/x-y", version: "1.0.0", app: { fields: [] }, core: { endpoints: [added] } };
  expect(checkManifest(JSON.stringify(text)).issues).toEqual([]);
});

test("no line is offered where none can be declared", () => {
  for (const path of ["/health", "/_app", "/_app/install"])
    expect(explainMissingEndpoint("GET", path)).toBe(
      `"${path}" is reserved for the platform, so no endpoint can answer there.`,
    );
  expect(explainMissingEndpoint("GET", "/@acme")).not.toContain("{");
});
