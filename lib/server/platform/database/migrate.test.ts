import { expect, test } from "vitest";
import { requireServerVersion } from "./migrate";

// Guarantee: a server that is too old is refused when the platform starts, not when a page first uses what it lacks.
test("PostgreSQL before 16 is refused, and later ones are not", () => {
  expect(() => requireServerVersion(150_018)).toThrow(
    /the server is PostgreSQL 15, but the platform needs PostgreSQL 16 or newer/,
  );
  expect(() => requireServerVersion(160_000)).not.toThrow();
  expect(() => requireServerVersion(180_004)).not.toThrow();
});
