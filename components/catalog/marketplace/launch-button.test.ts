import { expect, test } from "vitest";
import { LISTING_STATES } from "@/lib/contract/catalog/listing";
import { mayTestLaunch, testLaunchPath } from "./launch-button";

test("a Test Launch of any version has its own URL", () => {
  expect(testLaunchPath("acme/vin", "v1")).toBe("/launch/acme/vin?test=1&version=v1");
  expect(testLaunchPath("acme/vin")).toBe("/launch/acme/vin?test=1");
});

test("only retired listings have no Test Launch", () => {
  expect(LISTING_STATES.filter((state) => !mayTestLaunch(state))).toEqual(["RETIRED"]);
});
