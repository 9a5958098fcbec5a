import { expect, test } from "vitest";
import { isZone } from "@/lib/contract/platform/time-range";
import { decidePersonalZone, exactTime, nameZone, readZoneCookie, writeZoneCookie } from "./zone";

const WINTER = "2026-01-15T12:00:00Z";
const SUMMER = "2026-07-15T12:00:00Z";

// Guarantee: a time says in which zone it is.
test("an exact time names its zone and what its clocks showed then", () => {
  expect(exactTime(WINTER, "Europe/Zurich")).toBe("15 Jan 2026, 13:00:00 (Europe/Zurich, UTC+1)");
  expect(exactTime(SUMMER, "Europe/Zurich")).toBe("15 Jul 2026, 14:00:00 (Europe/Zurich, UTC+2)");
  expect(exactTime(WINTER, "UTC")).toBe("15 Jan 2026, 12:00:00 (UTC)");
  expect(nameZone("Asia/Kolkata", WINTER)).toBe("Asia/Kolkata, UTC+5:30");
  expect(nameZone("America/New_York", WINTER)).toBe("America/New_York, UTC−5");
});

test("the cookie keeps a zone, and whether it was chosen; anything else is no zone", () => {
  for (const chosen of [true, false]) {
    const personal = { zone: "America/Argentina/Buenos_Aires", chosen };
    expect(readZoneCookie(writeZoneCookie(personal))).toEqual(personal);
  }
  const hostile = ["", "Mars/Base", "%", "x".repeat(1_000), "__proto__", "+01:00", undefined];
  expect(hostile.map(readZoneCookie)).toEqual(hostile.map(() => undefined));
  expect(isZone({})).toBe(false);
});

// Guarantee: each of a person's browsers shows the zone of the account, whatever it keeps of another account or time.
test("the account's zone wins over what a browser keeps", () => {
  const tokyo = writeZoneCookie({ zone: "Asia/Tokyo", chosen: true });
  expect(decidePersonalZone({ zone: "Europe/Zurich" }, tokyo)).toEqual({
    zone: "Europe/Zurich",
    chosen: true,
  });
  expect(decidePersonalZone({ zone: "Europe/Zurich" }, undefined)?.zone).toBe("Europe/Zurich");
  expect(decidePersonalZone({}, tokyo)).toEqual({ zone: "Asia/Tokyo", chosen: false });
  expect(decidePersonalZone({}, undefined)).toBeUndefined();
  // Visitors have only their browser.
  expect(decidePersonalZone(undefined, tokyo)).toEqual({ zone: "Asia/Tokyo", chosen: true });
});
