import { expect, test } from "vitest";
import { coversHost, findHostProblem } from "./hosts";

test.each([
  "api.example.com",
  "*.example.com",
  "a.example",
  "xn--bcher-kva.example",
  "*.s3.eu-central-1.amazonaws.com",
  "_acme.example.com",
  "1password.com",
  `${"a".repeat(63)}.example.com`,
])("%s can be declared", (host) => {
  expect(findHostProblem(host)).toBeUndefined();
});

test.each([
  ["https://api.example.com/v1?x=1", "is an address", '"api.example.com"'],
  ["api.example.com/v1", "is an address", '"api.example.com"'],
  ["ftp://files.example.com", "is an address", '"files.example.com"'],
  ["api.example.com:8443", "contains a port", '"ports": [8443]'],
  ["user:secret@api.example.com", "contains an @", "without a user"],
  ["API.Example.com", "capital letters", '"api.example.com"'],
  ["bücher.example", "written in ASCII", '"xn--bcher-kva.example"'],
  ["*.bücher.example", "written in ASCII", '"*.xn--bcher-kva.example"'],
  ["api.example.com.", "ends with a dot", "Remove"],
  ["*", "single *", 'leave out "hosts"'],
  ["*.com", "top-level domain", "*.example.com"],
  ["a.*.example.com", "has a *", "first part"],
  ["*example.com", "has a *", "first part"],
  ["localhost", "inside a network", "public name"],
  ["api.localhost", "inside a network", "public name"],
  ["*.internal", "inside a network", "public name"],
  ["vault.corp", "inside a network", "public name"],
  ["intranet-server", "has no domain", "api.example.com"],
  ["169.254.169.254", "IP address", "host name"],
  ["127.1", "IP address", "host name"],
  ["2130706433", "IP address", "host name"],
  ["0x7f.0.0.1", "IP address", "host name"],
  ["017700000001", "IP address", "host name"],
  ["10.0.0.1:443", "IP address", "host name"],
  ["[::1]", "IP address", "host name"],
  ["fe80::1", "IP address", "host name"],
  ["", "is empty", "api.example.com"],
  [" a.example.com", "spaces", '"a.example.com"'],
  ["a b.example.com", "not a host name", "hyphens"],
  ["a..example.com", "not a host name", "hyphens"],
  [`${"a".repeat(64)}.example.com`, "not a host name", "63"],
  [`${"a.".repeat(126)}example`, "not a host name", "63"],
])("%s is refused, with what to write", (host, message, hint) => {
  const problem = findHostProblem(host);
  expect(problem?.message).toContain(message);
  expect(problem?.hint).toContain(hint);
});

test("a * covers every depth below its domain, and not the domain itself", () => {
  expect(coversHost("*.example.com", "a.example.com")).toBe(true);
  expect(coversHost("*.example.com", "a.b.example.com")).toBe(true);
  expect(coversHost("*.example.com", "example.com")).toBe(false);
  expect(coversHost("*.example.com", "badexample.com")).toBe(false);
  expect(coversHost("api.example.com", "a.api.example.com")).toBe(false);
  expect(coversHost("api.example.com", "api.example.com")).toBe(true);
});
