import { expect, test } from "vitest";
import { valueWord } from "./compare-members";
test("a switch that was left out is off; any other member has no value then", () => {
  expect(valueWord("required", undefined)).toBe("no");
  expect(valueWord("hint", undefined)).toBe("none");
  expect(valueWord("hint", "")).toBe("empty");
});
