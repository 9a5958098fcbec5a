import { expect, test } from "vitest";
import { type HomeFacts, listAttention } from "./attention";

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
    unsubmitted: [],
    drafts: [],
    uncheckedDrafts: 0,
    texts: [],
  };
  expect(listAttention(facts).map(({ title, text }) => [title, text])).toEqual([
    ["down", "It is down."],
    ["slow", "GET /health failed."],
    ["newer", "Version 2.0.0 is available."],
  ]);
  // A publisher may not upgrade what customers' operators run.
  expect(listAttention({ ...facts, role: "publisher" }).map(({ title }) => title)).toEqual(["down", "slow"]);
});

test("what is not released comes after what fails, and leads to where it is released", () => {
  const app = { appName: "vin", title: "VIN" };
  const at = new Date();
  const facts: HomeFacts = {
    role: "publisher",
    installations: [installation("down", { status: "DOWN" })],
    changedProducts: [],
    deadDeliveries: [],
    returned: [],
    unsubmitted: [{ ...app, number: "1.2.0", createdAt: at }],
    drafts: [
      { ...app, errors: 0, number: "1.2.0", updatedAt: at },
      { ...app, errors: 2, number: null, updatedAt: at },
    ],
    uncheckedDrafts: 0,
    texts: [{ ...app, updatedAt: at }],
  };
  expect(listAttention(facts).map(({ tone, href, text }) => [tone, href, text])).toEqual([
    ["danger", "/installations/down", "It is down."],
    ["warning", "/publish/vin/manifest", "It has 2 problems that must be fixed before a release."],
    ["draft", "/publish/vin/manifest", "It has changes since version 1.2.0 that haven't been released."],
    ["draft", "/publish/vin", expect.stringContaining("been submitted for review")],
    ["draft", "/publish/vin/edit", "It has changes that haven't been submitted for review."],
  ]);
});
