import { expect, test } from "vitest";
import { explainError, explainFailure } from "./try-sign-in";

// Guarantee: every refusal says what to do next.
test.each([
  ["CredentialsSignin", "Wrong email or password."],
  [
    "TOO_MANY_REQUESTS 840",
    "Too many attempts. Try again in 14 minutes, or use a browser where you have signed in before.",
  ],
  [
    "TOO_MANY_REQUESTS 30",
    "Too many attempts. Try again in a minute, or use a browser where you have signed in before.",
  ],
  [
    "TOO_MANY_REQUESTS 80000",
    "Too many attempts. Try again in 23 hours, or use a browser where you have signed in before.",
  ],
  ["OVERLOADED 2", "Too many people are signing in right now. Try again in a few seconds."],
  [
    "DATABASE_UNAVAILABLE",
    "Nobody can sign in right now, because the platform's database is unavailable. Try again in a moment.",
  ],
  ["<b>anything</b>", "Sign-in failed because of an error on our side. Try again in a moment."],
])("%s", (error, explanation) => {
  expect(explainError(error)).toBe(explanation);
});

// Guarantee: at another address than the configured one, it doesn't blame the connection.
test("signing in at a wrong address names the right one", () => {
  expect(explainFailure("https://apps.example/sign-in?callbackUrl=%2Fhome")).toBe(
    "This is not the platform's address. Sign in at https://apps.example.",
  );
  expect(explainFailure(undefined)).toMatch(/^Can't reach the platform/);
});
