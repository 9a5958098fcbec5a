import { expect, test } from "vitest";
import { listTracks, type Progress } from "./tracks";

const NOTHING: Progress = {
  appName: null,
  listings: 0,
  publicListings: 0,
  hasVersion: false,
  testLaunches: 0,
  hasSubmission: false,
  tenants: 0,
  launches: 0,
  installed: 0,
};
const PUBLISHED = { appName: "vin", listings: 1, hasVersion: true, testLaunches: 1, hasSubmission: true };

const titles = (...input: Parameters<typeof listTracks>) => listTracks(...input).map(({ title }) => title);

test("a role is shown only what it may do", () => {
  expect(titles("owner", "acme", NOTHING)).toEqual(["Use an app", "Publish an app"]);
  expect(titles("publisher", "acme", NOTHING)).toEqual(["Publish an app"]);
  expect(titles("operator", "acme", NOTHING)).toEqual(["Use an app"]);
  const [step] = listTracks("operator", "acme", NOTHING)[0]?.steps ?? [];
  expect(step).toMatchObject({ href: "/tenants", text: expect.stringContaining("Ask an owner") });
  // Whoever can't connect a tenant yet can still see an app at work.
  for (const role of ["owner", "operator"] as const)
    expect(listTracks(role, "acme", NOTHING)[0]?.steps[0]?.text).toContain("Try it");
});

test("a track that is complete is gone, and so is the other one unless it was begun", () => {
  const customer = { ...NOTHING, tenants: 1, launches: 1 };
  expect(titles("owner", "acme", customer)).toEqual([]);
  expect(titles("owner", "acme", { ...customer, listings: 1, appName: "vin" })).toEqual(["Publish an app"]);
  expect(titles("owner", "acme", { ...NOTHING, ...PUBLISHED })).toEqual([]);
  expect(titles("owner", "acme", { ...NOTHING, ...PUBLISHED, testLaunches: 0 })).toEqual([]);
  expect(titles("owner", "acme", { ...NOTHING, ...PUBLISHED, tenants: 1 })).toEqual(["Use an app"]);
});

test("the steps lead to the newest listing", () => {
  const [track] = listTracks("publisher", "acme", { ...NOTHING, appName: "vin", listings: 1 });
  expect(track?.steps.map(({ done, href }) => [done, href])).toEqual([
    [true, "/publish/new"],
    [false, "/publish/vin"],
    [false, "/launch/acme/vin?test=1"],
    [false, "/publish/vin"],
  ]);
});
