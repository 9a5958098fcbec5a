import { expect, test } from "vitest";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import { bothSides, keepMine } from "./both-sides";
import {
  answersToSend,
  NO_EDIT,
  withAnswer,
  withConfirmed,
  withPath,
  type ViewedSetting,
} from "./configuration-edit";
import { sampleConfiguration } from "@/tests/sample-configuration";

const before = sampleConfiguration();
const LATER = "2026-11-20T11:00:00.000Z";

/** What somebody else saved meanwhile. */
function saved(
  changes: Record<string, ViewedSetting>,
  more: Partial<ConfigurationView> = {},
): ConfigurationView {
  const settings = before.settings.map((view) => changes[view.name] ?? view);
  return sampleConfiguration({ revision: 4, savedBy: "Ben", savedAt: LATER, settings, ...more });
}
const regionUs: ViewedSetting = { name: "region", sensitive: false, value: "us" };
const keyReplaced: ViewedSetting = {
  name: "apiKey",
  sensitive: true,
  configured: true,
  updatedAt: LATER,
  by: "Ben",
};
const mineKey = withAnswer(NO_EDIT, "apiKey", { kind: "secret", choice: "replace", value: "canary-77" });

test("what both changed is shown with both sides; what one of them changed is not a question", () => {
  const now = saved({ region: regionUs, greeting: { name: "greeting", sensitive: false, value: undefined } });
  const edit = withPath(
    withAnswer(NO_EDIT, "region", { kind: "plain", value: "" }),
    "Auto",
    "make",
    "$.make",
  );
  expect(bothSides(before, now, edit)).toEqual({
    clashes: [
      {
        pointer: "/settings/region",
        title: "Region",
        theirs: { kind: "text", text: "America" },
        mine: { kind: "text", text: "Nowhere" },
      },
    ],
    theirs: [{ pointer: "/settings/greeting", title: "Greeting", theirs: { kind: "text", text: undefined } }],
    mine: ["Make field"],
    gone: [],
  });
});

test("of secrets both sides say what was done, and never a value", () => {
  const sides = bothSides(before, saved({ apiKey: keyReplaced }), mineKey);
  expect(sides.clashes).toEqual([
    {
      pointer: "/settings/apiKey",
      title: "Provider key",
      theirs: { kind: "secret", change: "replaced", by: "Ben", at: LATER },
      mine: { kind: "secret", change: "replaced" },
    },
  ]);
  expect(JSON.stringify(sides)).not.toContain("canary-77");
});

test("a secret that they cleared and one that they set are told apart", () => {
  const now = saved({
    token: { name: "token", sensitive: true, configured: false },
    plan: { name: "plan", sensitive: true, configured: true, updatedAt: LATER, by: "Ben" },
  });
  expect(bothSides(before, now, NO_EDIT).theirs.map(({ theirs }) => theirs)).toEqual([
    { kind: "secret", change: "cleared" },
    { kind: "secret", change: "set", by: "Ben", at: LATER },
  ]);
});

test("both made the same change: nothing to choose", () => {
  const edit = withPath(
    withAnswer(NO_EDIT, "region", { kind: "plain", value: "us" }),
    "Auto",
    "vin",
    "$.vin",
  );
  const now = saved(
    { region: regionUs },
    { mappings: [{ productName: "Auto", fields: { vin: "$.vin", make: "$.vehicle.make" } }] },
  );
  expect(bothSides(before, now, edit).clashes).toEqual([]);
  expect(answersToSend(now, edit)).toEqual({ settings: {}, mappings: {} });
});

test("taking theirs sends nothing for that entry; mine goes over what is stored now", () => {
  const now = saved({ region: regionUs, apiKey: keyReplaced });
  const edit = withAnswer(mineKey, "region", { kind: "plain", value: "" });
  const kept = keepMine(edit, now, new Set(["/settings/apiKey"]));
  expect(answersToSend(now, kept).settings).toEqual({ region: { action: "set", value: "" } });
  const all = keepMine(edit, now, new Set());
  expect(answersToSend(now, all).settings).toEqual({
    region: { action: "set", value: "" },
    apiKey: { action: "set", value: "canary-77" },
  });
});

test("an answer to what the app does not ask for any more is named, and not sent", () => {
  const now = saved({}, { declared: before.declared.slice(0, 2), settings: before.settings.slice(0, 2) });
  expect(bothSides(before, now, mineKey).gone).toEqual(["Provider key"]);
  expect(answersToSend(now, keepMine(mineKey, now, new Set())).settings).toEqual({});
});

test("what I confirmed stays confirmed, unless they mapped the product anew", () => {
  const edit = withConfirmed(NO_EDIT, "Auto", true);
  const products = before.products.map((product) => ({ ...product, changedSinceMapped: true }));
  expect([...keepMine(edit, saved({}, { products }), new Set()).confirmed]).toEqual(["Auto"]);
  expect(keepMine(edit, saved({}), new Set()).confirmed.size).toBe(0);
});
