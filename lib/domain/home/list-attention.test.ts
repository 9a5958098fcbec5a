import { expect, test } from "vitest";
import { listAttention, type HomeFacts } from "./list-attention";

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
