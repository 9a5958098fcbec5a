import { expect, test } from "vitest";
import { listAttention, listTracks, type HomeFacts, type Progress } from "./home";

const NOTHING: Progress = {
  appName: null,
  listings: 0,
  publicListings: 0,
  versions: 0,
  testLaunches: 0,
  submissions: 0,
  tenants: 0,
  launches: 0,
};
const PUBLISHED = { appName: "vin", listings: 1, versions: 1, testLaunches: 1, submissions: 1 };

const titles = (...input: Parameters<typeof listTracks>) => listTracks(...input).map(({ title }) => title);

test("a role is shown only what it may do", () => {
  expect(titles("owner", "acme", NOTHING)).toEqual(["Use an app", "Publish an app"]);
  expect(titles("publisher", "acme", NOTHING)).toEqual(["Publish an app"]);
  expect(titles("operator", "acme", NOTHING)).toEqual(["Use an app"]);
  const [step] = listTracks("operator", "acme", NOTHING)[0]?.steps ?? [];
  expect(step).toMatchObject({ href: "/tenants", text: expect.stringContaining("Ask an owner") });
});

test("a track that is complete is gone, and so is the other one unless it was begun", () => {
  const customer = { ...NOTHING, tenants: 1, launches: 1 };
  expect(titles("owner", "acme", customer)).toEqual([]);
  expect(titles("owner", "acme", { ...customer, listings: 1, appName: "vin" })).toEqual(["Publish an app"]);
  expect(titles("owner", "acme", { ...NOTHING, ...PUBLISHED })).toEqual([]);
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

const installation = (id: string, changes: Partial<HomeFacts["installations"][number]>) => ({
  id,
  title: id,
  tenantName: "Production",
  test: false,
  status: "RUNNING" as const,
  reason: undefined,
  since: undefined,
  upgradeTo: null,
  ...changes,
});

test("the worst comes first, and what runs is left out", () => {
  const facts: HomeFacts = {
    role: "owner",
    installations: [
      installation("newer", { upgradeTo: "2.0.0" }),
      installation("fine", {}),
      installation("slow", { status: "DEGRADED", reason: "GET /health failed." }),
      installation("down", { status: "DOWN" }),
      installation("gone", { status: "UNINSTALLING", upgradeTo: "2.0.0" }),
    ],
    changedProducts: [],
    deadDeliveries: [],
    returned: [],
    brokenDrafts: [],
  };
  expect(listAttention(facts).map(({ title, text }) => [title, text])).toEqual([
    ["down", "It is down."],
    ["slow", "GET /health failed."],
    ["newer", "Version 2.0.0 is available."],
  ]);
  // A publisher may not upgrade what customers' operators run.
  expect(listAttention({ ...facts, role: "publisher" }).map(({ title }) => title)).toEqual(["down", "slow"]);
});
