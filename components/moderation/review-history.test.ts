import { expect, test } from "vitest";
import { formatDuration } from "./review-history";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

test.each([
  [0, "a minute"],
  [20_000, "a minute"],
  [MINUTE + 1, "2 minutes"],
  [HOUR, "an hour"],
  [4.2 * HOUR, "5 hours"],
  [DAY, "a day"],
  [1.5 * DAY, "2 days"],
])("%d ms is less than or exactly %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
