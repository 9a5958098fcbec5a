import { expect, test } from "vitest";
import { graceEnd, moveDomain, readDomain } from "./domain";

const NOW = new Date("2026-11-28T12:00:00Z");
const daysLater = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

// Guarantee: one domain has one name, however it is typed.
test.each([
  ["acme.example", "acme.example"],
  [" ACME.Example. ", "acme.example"],
  ["https://acme.example/", "acme.example"],
  ["http://Acme.example", "acme.example"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["\u0430cme.example", "xn--cme-5cd.example"],
  ["ＡＣＭＥ.example", "acme.example"],
  ["apps.acme.co.uk", "apps.acme.co.uk"],
  ["acme.co", "acme.co"],
])("%j is %s", (typed, domain) => {
  expect(readDomain(typed)).toEqual({ domain });
});

test.each([
  ...["", "acme", "localhost", "co.uk", "com.au", "CO.UK.", "gov.ch", "com"],
  ...["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "1.2.3.4."],
  ...["acme.example:8080", "acme.example/path", "https://acme.example/a", "user@acme.example", "a b.example"],
  ...["acme\u202e.example", "acme\u200b.example", "acme\0.example", "<b>acme</b>.example", "acme..example"],
  ...[
    "-acme.example",
    "acme-.example",
    "_acme.example",
    "*.acme.example",
    "acme.example?x",
    "ac%6de.example",
  ],
  ...[`${"a".repeat(64)}.example`, `${"a.".repeat(150)}example`, "javascript:alert(1)"],
])("%j is refused", (typed) => {
  expect(readDomain(typed)).toHaveProperty("problem");
});

// Guarantee: a domain whose proof is gone counts for 14 days, in which its owners can bring it back.
test("a domain that stops proving is failing, and lost after 14 days", () => {
  const failing = moveDomain({ state: "VERIFIED", failingSince: null }, false, NOW);
  expect(failing).toEqual({ state: "FAILING", failingSince: NOW, nextCheckAt: daysLater(1) });
  expect(moveDomain(failing, false, daysLater(13))).toMatchObject({ state: "FAILING", failingSince: NOW });
  expect(moveDomain(failing, false, graceEnd(NOW))).toEqual({
    state: "LOST",
    failingSince: null,
    nextCheckAt: null,
  });
  expect(moveDomain(failing, true, daysLater(13))).toEqual({
    state: "VERIFIED",
    failingSince: null,
    nextCheckAt: daysLater(20),
  });
});

test.each(["WAITING", "LOST"] as const)("%s stays until there is a proof", (state) => {
  const record = { state, failingSince: null };
  expect(moveDomain(record, false, NOW)).toEqual({ ...record, nextCheckAt: null });
  expect(moveDomain(record, true, NOW)).toMatchObject({ state: "VERIFIED", nextCheckAt: daysLater(7) });
});
