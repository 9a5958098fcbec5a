import { expect, test } from "vitest";
import { detailText } from "./compare-members";
test("a switch that was left out is off; any other member has no value then", () => {
  expect(detailText("required", undefined)).toBe("no");
  expect(detailText("hint", undefined)).toBe("none");
  expect(detailText("hint", "")).toBe("empty");
});
