import { expect, test } from "vitest";
import { redirectTarget, requestHeaders, responseHeaders } from "./endpoint-headers";

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
    "content-security-policy": "sandbox allow-forms allow-scripts; frame-ancestors 'none'",
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
  ["/", undefined],
  ["/a\tb", undefined],
  ["http://", undefined],
])("a redirect to %j leads to %j", (location, target) => {
  expect(redirectTarget(location, "/a/start", "/r/b")).toBe(target);
});
