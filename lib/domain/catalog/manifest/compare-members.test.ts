import { expect, test } from "vitest";
import { detailText } from "./compare-members";

test("an absent switch is off; any other absent member has no value", () => {
  expect(detailText("required", undefined)).toBe("no");
  expect(detailText("hint", undefined)).toBe("none");
  expect(detailText("hint", "")).toBe("empty");
});
