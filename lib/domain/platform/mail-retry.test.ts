import { expect, test } from "vitest";
import { isPermanent, MAIL_LIFE_MS, mailWaitMs } from "./mail-retry";

// Guarantee: only a reply about this specific email ends it immediately. A wrong password or a refused sender can be fixed.
test.each([
  [{ responseCode: 550, command: "RCPT TO" }, true],
  [{ responseCode: 552, command: "DATA" }, true],
  [{ responseCode: 450, command: "RCPT TO" }, false],
  [{ responseCode: 421, command: "CONN" }, false],
  [{ responseCode: 535, command: "AUTH PLAIN" }, false],
  [{ responseCode: 550, command: "MAIL FROM" }, false],
  [{ responseCode: 530, command: "STARTTLS" }, false],
  [{}, false],
])("%j is permanent: %s", (failure, permanent) => {
  expect(isPermanent(failure)).toBe(permanent);
});

test("waits grow, and a mail is dead after a day", () => {
  let age = 0;
  const waits: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const wait = mailWaitMs({}, attempts, age, 0.5);
    if (wait === undefined) break;
    expect(wait).toBeGreaterThanOrEqual(waits.at(-1) ?? 0);
    waits.push(wait);
    age += wait;
  }
  expect(waits[0]).toBe(10_000);
  expect(waits.length).toBeGreaterThan(8);
  expect(age).toBeLessThan(MAIL_LIFE_MS);
  expect(mailWaitMs({ responseCode: 550, command: "RCPT TO" }, 1, 0, 0.5)).toBeUndefined();
});
