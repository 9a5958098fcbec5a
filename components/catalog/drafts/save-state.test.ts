import { expect, test } from "vitest";
import { savedText } from "./use-draft-sync";

test("the save time is shown in seconds, minutes, then as a relative time; times in the future count as now", () => {
  const at = Date.UTC(2026, 6, 1, 12);
  const after = (seconds: number) => savedText(at, at + seconds * 1000);
  expect([after(0), after(-90), after(3), after(59)]).toEqual([
    "Saved just now",
    "Saved just now",
    "Saved 3 s ago",
    "Saved 59 s ago",
  ]);
  expect([after(60), after(3_599), after(7_200), after(86_400 * 3)]).toEqual([
    "Saved 1 min ago",
    "Saved 59 min ago",
    "Saved 2 hours ago",
    "Saved 3 days ago",
  ]);
});
