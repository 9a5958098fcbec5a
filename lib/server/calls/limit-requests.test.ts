import { v7 } from "uuid";
import { expect, test } from "vitest";
import { beginRequest, countRequest } from "./serve-endpoint";

const refused = { code: "TOO_MANY_REQUESTS" };
const many = (count: number, act: (at: number) => void) =>
  Array.from({ length: count }, (_, at) => at).forEach(act);

// Guarantee: a client that asks too often is refused, others are not, and it may ask again later.
test("each address has its own limit", () => {
  const id = v7();
  many(40, () => countRequest(id, "10.0.0.1", 0));
  expect(() => countRequest(id, "10.0.0.1", 0)).toThrow(expect.objectContaining(refused));
  countRequest(id, "10.0.0.2", 0);
  countRequest(v7(), "10.0.0.1", 0);
  countRequest(id, "10.0.0.1", 1_000);
});

test("addresses of one IPv6 network share a limit", () => {
  const id = v7();
  many(40, (at) => countRequest(id, `2001:db8:1:2::${at}`, 0));
  expect(() => countRequest(id, "2001:db8:1:2:ffff::1", 0)).toThrow(expect.objectContaining(refused));
  countRequest(id, "2001:db8:1:3::1", 0);
});

// Guarantee: many addresses together cannot flood one installation.
test("all callers of an installation share a limit", () => {
  const id = v7();
  many(200, (at) => countRequest(id, `10.1.0.${at}`, 0));
  expect(() => countRequest(id, "10.2.0.1", 0)).toThrow(expect.objectContaining(refused));
});

// Guarantee: an app that hangs cannot take all of the gateway's capacity.
test("an installation has a limit of concurrent requests", () => {
  const id = v7();
  const [first] = Array.from({ length: 32 }, () => beginRequest(id));
  expect(() => beginRequest(id)).toThrow(expect.objectContaining(refused));
  first?.();
  first?.();
  beginRequest(id);
  expect(() => beginRequest(id)).toThrow(expect.objectContaining(refused));
});
