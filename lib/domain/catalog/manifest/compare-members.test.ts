import { expect, test } from "vitest";
import { changedKeys, detailText, toDetail } from "./compare-members";

test("an absent switch is off; any other absent member has no value", () => {
  expect(detailText("required", undefined)).toBe("no");
  expect(detailText("hint", undefined)).toBe("none");
  expect(detailText("hint", "")).toBe("empty");
});

test("ports are listed, and absent ones are the usual one", () => {
  expect(toDetail("ports", [443, 8443], undefined)).toMatchObject({ before: "443, 8443" });
  expect(detailText("ports", undefined)).toBe("443");
  expect(changedKeys({ host: "a.example" }, { host: "a.example", ports: [443], optional: false })).toEqual(
    [],
  );
});
