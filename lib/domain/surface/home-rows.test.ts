import { expect, test } from "vitest";
import { type CallsOfDay, NO_CALLS, toCallsOfDay } from "../insight/calls-of-day";
import { type InstalledApp, listInstallationRows, listListingRows, type OwnApp } from "./home-rows";

const day = (calls: number, failed: number): CallsOfDay => toCallsOfDay([{ ago: 0, calls, failed }]);

const installed = (id: string, changes: Partial<InstalledApp> = {}): InstalledApp => ({
  ...{ id, title: "VIN autofill", name: "acme/vin", tenantName: `Tenant ${id}`, test: false, trial: false },
  ...{ status: "RUNNING", reason: undefined, since: undefined, upgradeTo: null },
  ...{ dead: undefined, changed: undefined, day: NO_CALLS },
  ...changes,
});

test("what fails comes first, then failed calls, then upgrades, then what is used most", () => {
  const rows = listInstallationRows(
    [
      installed("idle"),
      installed("busy", { day: day(50, 0) }),
      installed("upgradable", { upgradeTo: "2.0.0" }),
      installed("recovered", { day: day(900, 3) }),
      installed("down", { status: "DOWN" }),
      installed("slow", { status: "DEGRADED" }),
    ],
    "owner",
  );
  expect(rows.map(({ ids }) => ids)).toEqual([
    ["down"],
    ["slow"],
    ["recovered"],
    ["upgradable"],
    ["busy"],
    ["idle"],
  ]);
});

// Guarantee: one error of an app on many tenants is one row, which hides no other error.
test("equal errors of an app are one row; other errors and other apps are not", () => {
  const broken = { status: "ERROR", reason: "The app exited with code 1." } as const;
  const rows = listInstallationRows(
    [
      installed("1", { ...broken, day: day(10, 10) }),
      installed("2", { ...broken, day: day(5, 4), upgradeTo: "2.0.0" }),
      installed("3", { ...broken, reason: "The port is wrong." }),
      installed("4", { ...broken, name: "other/vin" }),
      installed("5", { upgradeTo: "2.0.0" }),
      installed("6", { upgradeTo: "2.0.0" }),
    ],
    "owner",
  );
  expect(rows.map(({ ids }) => ids)).toEqual([["1", "2"], ["3"], ["4"], ["5"], ["6"]]);
  expect(rows[0]).toMatchObject({
    context: "2 tenants",
    href: "/installations?q=vin&state=ERROR",
    callsHref: "/calls?app=acme%2Fvin&last=24h",
    day: { calls: 15, failed: 14 },
    notes: [{ text: broken.reason, href: "/installations?q=vin&state=ERROR" }],
  });
  expect(rows[1]).toMatchObject({ context: "Tenant 3", callsHref: "/installations/3/calls?last=24h" });
});

test("a listing shows its verified version, and the review that waits", () => {
  const listing: OwnApp = {
    ...{ appName: "vin", title: "VIN autofill", state: "PUBLIC", verified: "1.0.0", customers: 3 },
    newest: { number: "1.1.0", createdAt: new Date(), isVerified: false, isSubmitted: true },
    review: { id: "7", state: "PENDING", note: "", number: "1.1.0", decidedAt: null },
    ...{ draft: undefined, textChangedAt: undefined, broken: null, day: NO_CALLS },
  };
  const [first, second] = listListingRows([
    listing,
    { ...listing, appName: "rater", verified: null, review: null, day: day(1, 1) },
  ]);
  expect(first).toMatchObject({ appName: "rater", version: "1.1.0", waiting: undefined });
  expect(second).toMatchObject({ version: "1.0.0", waiting: { id: "7", number: "1.1.0" }, notes: [] });
});
