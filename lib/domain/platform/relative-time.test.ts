import { expect, test } from "vitest";
import { relativeTime } from "./relative-time";

const now = Date.parse("2026-03-01T12:00:00Z");
const ago = (seconds: number) => relativeTime(new Date(now - seconds * 1000), now);

test("a time is shown in the largest unit that fits, and as 'just now' only below 45 seconds", () => {
  expect([10, 50, 120, 7200, 90_000, 700_000].map(ago)).toEqual([
    "just now",
    "1 minute ago",
    "2 minutes ago",
    "2 hours ago",
    "yesterday",
    "last week",
  ]);
});

// Guarantee: what works for 7 days says so, on every page and a minute later.
test("what is ahead is counted in days, and rounded", () => {
  const ahead = (seconds: number) => ago(-seconds);
  expect([10, 50, 7_000, 86_300, 90_000, 604_700, 604_800, 2_500_000].map(ahead)).toEqual([
    "just now",
    "in 1 minute",
    "in 2 hours",
    "in 24 hours",
    "in 1 day",
    "in 7 days",
    "in 7 days",
    "in 29 days",
  ]);
});
