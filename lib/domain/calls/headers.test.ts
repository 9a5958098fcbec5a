import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  PASSED_BACK,
  passHead,
  redirectTarget,
  requestHeaders,
  responseHeaders,
  WITHHELD,
  WITHHELD_BACK,
} from "./headers";

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
      "x-forwarded": "for=10.0.0.1",
      "true-client-ip": "10.0.0.1",
      "x-http-method-override": "DELETE",
      "x-original-url": "/admin",
      expect: "100-continue",
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
    responseHeaders(
      {
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
      },
      [],
    ),
  ).toEqual({
    "content-type": "text/html",
    etag: '"1"',
    "cache-control": "no-store",
    "content-security-policy":
      "sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  expect(responseHeaders({ "cache-control": "max-age=60" }, [])["cache-control"]).toBe("max-age=60");
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

// Guarantee: what an app says of its methods never contradicts what the platform lets through.
test("Allow lists only declared methods", () => {
  const allow = "GET, HEAD, POST, DELETE, OPTIONS, TRACE";
  expect(responseHeaders({ allow }, ["GET", "POST"]).allow).toBe("GET, HEAD, POST");
  expect(responseHeaders({ allow: "DELETE" }, ["GET"]).allow).toBe("");
  expect(responseHeaders({ allow: ["GET", "PUT"] }, ["PUT"]).allow).toBe("PUT");
});

test("what was created can be found below the base, and no other place can be named", () => {
  const asked = { path: "/a/start", base: "/r/b", methods: ["POST"] };
  const head = (status: number, location: string) => passHead({ status, headers: { location } }, asked);
  expect(head(201, "/things/1")).toMatchObject({ status: 201, headers: { location: "/r/b/things/1" } });
  expect(head(201, "https://evil.example")).toMatchObject({ status: 201 });
  expect(head(201, "https://evil.example")).not.toHaveProperty("headers.location");
  expect(head(200, "/things/1")).not.toHaveProperty("headers.location");
  expect(head(303, "/done")).toMatchObject({ status: 303, headers: { location: "/r/b/done" } });
  for (const [status, location] of [
    [301, "/done"],
    [307, "/done"],
    [302, "https://evil.example"],
  ] as const)
    expect(head(status, location)).toMatchObject({ fault: "app-response-status" });
  expect(passHead({ status: 304, headers: { etag: "1" } }, asked)).toMatchObject({
    status: 304,
    headers: { etag: "1" },
  });
});

// Guarantee: the documentation shows the rules that the code follows.
test("docs/guide/endpoints.md has the tables of this file", async () => {
  const page = await readFile("docs/guide/endpoints.md", "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  for (const { names, rule } of [...WITHHELD, ...PASSED_BACK, ...WITHHELD_BACK])
    expect(rows).toContainEqual([names.map((name) => `\`${name}\``).join(", "), rule]);
});
