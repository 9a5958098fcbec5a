import { expect, test } from "vitest";
import { apiKeyState } from "./api-key";

const DAY = 24 * 60 * 60_000;
const at = (days: number) => new Date(days * DAY);

test.each([
  [null, null, "ACTIVE"],
  [null, at(8), "ACTIVE"],
  [null, at(6), "EXPIRES_SOON"],
  [null, at(0), "EXPIRED"],
  [null, at(-1), "EXPIRED"],
  [at(-1), null, "REVOKED"],
  [at(-1), at(-2), "REVOKED"],
] as const)("revoked at %s, expires at %s: %s", (revokedAt, expiresAt, expected) => {
  expect(apiKeyState({ revokedAt, expiresAt }, 0)).toBe(expected);
});
