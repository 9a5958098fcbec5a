import type { IncomingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { readAddress } from "./read-request";

const socket = new Socket();
Object.defineProperty(socket, "remoteAddress", { value: "198.51.100.7" });
const from = (headers: IncomingHttpHeaders, PLATFORM_BEHIND_PROXY: boolean) =>
  readAddress({ PLATFORM_BEHIND_PROXY }, { headers, socket });

const FORGED = ["127.0.0.1", "127.0.0.1, 10.0.0.1", "", "unknown", "x".repeat(10_000)];

// Guarantee: nobody gets another client's limits, or more of them, by naming an address.
test.each(FORGED)("without a proxy, X-Forwarded-For %j is ignored", (value) => {
  const headers = { "x-forwarded-for": value, forwarded: `for=${value}`, "x-real-ip": value };
  expect(from(headers, false)).toBe("198.51.100.7");
});

test.each(FORGED)("behind a proxy, what precedes its own entry is ignored: %j", (value) => {
  expect(from({ "x-forwarded-for": `${value}, 203.0.113.5` }, true)).toBe("203.0.113.5");
});
