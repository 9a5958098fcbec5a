import { expect, test } from "vitest";
import { findWeakness } from "./password";

const ADA = ["Ada Lovelace", "ada.lovelace@acme.example"];

// Guarantee: a password that is among the first guesses is refused, and one that is not is accepted.
test.each([
  "aaaaaaaaaaaa",
  "1212121212",
  "1234567890",
  "0987654321",
  "Qwertyuiop",
  "1q2w3e4r5t",
  "Password123!",
  "welcome2026",
  "admin-admin",
  "ada.lovelace@acme.example",
  "Ada.Lovelace1!",
])("%s is weak", (password) => {
  expect(findWeakness(password, ADA)).toMatch(/^This password .+\. Use /);
});

test.each(["launch-the-demo", "a long password", "tidal lantern orbit", "Zx9$kk2!pQ0v"])(
  "%s is accepted",
  (password) => {
    expect(findWeakness(password, ADA)).toBeUndefined();
  },
);
