import { expect, test } from "vitest";
import type { SettingView } from "@/lib/contract/catalog/configuration";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import { type Answer, AnswerSheet, type ChosenAnswers } from "@/lib/domain/catalog/answer-sheet";
import { sampleConfiguration } from "@/tests/samples/configuration";
import { compareSides, describeChanges, describeUnfinished, keepMine } from "./both-sides";

const before = sampleConfiguration();
const LATER = "2026-11-20T11:00:00.000Z";

const set = (text?: string): Answer => ({ action: "set", text });
const answer = (answers: Record<string, Answer>): ChosenAnswers => new Map(Object.entries(answers));
const sent = (form: ConfigurationView, answers: ChosenAnswers) => new AnswerSheet(form, answers).toSend();

/** What somebody else has saved since. */
function saved(
  changes: Record<string, SettingView>,
  more: Partial<ConfigurationView> = {},
): ConfigurationView {
  const settings = before.settings.map((view) => changes[view.name] ?? view);
  return sampleConfiguration({ revision: 4, savedBy: "Ben", savedAt: LATER, settings, ...more });
}
const regionUs: SettingView = { name: "region", sensitive: false, value: "us" };
const keyReplaced: SettingView = {
  name: "apiKey",
  sensitive: true,
  configured: true,
  updatedAt: LATER,
  by: "Ben",
};
const mineKey = { "/settings/apiKey": set("canary-77") };

test("what both changed has both sides; what only one changed is not a question", () => {
  const now = saved({ region: regionUs, greeting: { name: "greeting", sensitive: false, value: undefined } });
  const mine = answer({ "/settings/region": set(""), "/mappings/Auto/make": set("$.make") });
  expect(compareSides(before, now, mine)).toEqual({
    conflicts: [
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

test("the sides of a secret show what was done, and never a value", () => {
  const sides = compareSides(before, saved({ apiKey: keyReplaced }), answer(mineKey));
  expect(sides.conflicts).toEqual([
    {
      pointer: "/settings/apiKey",
      title: "Provider key",
      theirs: { kind: "secret", change: "replaced", by: "Ben", at: LATER },
      mine: { kind: "secret", change: "replaced" },
    },
  ]);
  expect(JSON.stringify(sides)).not.toContain("canary-77");
});

test("a secret that they cleared differs from one that they set", () => {
  const now = saved({
    token: { name: "token", sensitive: true, configured: false },
    plan: { name: "plan", sensitive: true, configured: true, updatedAt: LATER, by: "Ben" },
  });
  expect(compareSides(before, now, answer({})).theirs.map(({ theirs }) => theirs)).toEqual([
    { kind: "secret", change: "cleared" },
    { kind: "secret", change: "set", by: "Ben", at: LATER },
  ]);
});

test("if both made the same change, there is nothing to choose", () => {
  const mine = answer({ "/settings/region": set("us"), "/mappings/Auto/vin": set("$.vin") });
  const now = saved(
    { region: regionUs },
    { mappings: [{ productName: "Auto", fields: { vin: "$.vin", make: "$.vehicle.make" } }] },
  );
  expect(compareSides(before, now, mine).conflicts).toEqual([]);
  expect(sent(now, mine)).toEqual({ settings: {}, mappings: {} });
});

test("taking theirs sends nothing for that entry; mine replaces what is stored now", () => {
  const now = saved({ region: regionUs, apiKey: keyReplaced });
  const mine = answer({ ...mineKey, "/settings/region": set("") });
  expect(sent(now, keepMine(mine, now, new Set(["/settings/apiKey"]))).settings).toEqual({
    region: { action: "set", value: "" },
  });
  expect(sent(now, keepMine(mine, now, new Set())).settings).toEqual({
    region: { action: "set", value: "" },
    apiKey: { action: "set", value: "canary-77" },
  });
});

test("an answer that the app no longer asks for is listed and not sent", () => {
  const now = saved({}, { declared: before.declared.slice(0, 2), settings: before.settings.slice(0, 2) });
  expect(compareSides(before, now, answer(mineKey)).gone).toEqual(["Provider key"]);
  expect(sent(now, keepMine(answer(mineKey), now, new Set())).settings).toEqual({});
});

test("a mapping that I keep stays kept, unless they mapped the product again", () => {
  const mine = answer({ "/mappings/Auto": { action: "keep" } });
  const products = before.products.map((product) => ({ ...product, changedSinceMapped: true }));
  expect([...keepMine(mine, saved({}, { products }), new Set()).keys()]).toEqual(["/mappings/Auto"]);
  expect(keepMine(mine, saved({}), new Set()).size).toBe(0);
});

test("the bar describes the changes in one line", () => {
  const describe = (answers: Record<string, Answer>, form = before) =>
    describeChanges(new AnswerSheet(form, answer(answers)));
  expect(
    describe({
      "/settings/region": set("us"),
      "/settings/greeting": set(),
      "/settings/apiKey": set("k"),
      "/settings/token": { action: "clear" },
      "/mappings/Auto/vin": set("$.vin"),
    }),
  ).toBe("2 settings changed, Provider key replaced, Token cleared, 1 mapping field changed");
  const waiting = { "/settings/apiKey": set(), "/settings/plan": set("gold") };
  expect(describe(waiting)).toBe("Plan set");
  expect(describeUnfinished(new AnswerSheet(before, answer(waiting)))).toBe("Enter a new Provider key");
  expect(describe({})).toBe("");
  const products = before.products.map((product) => ({ ...product, changedSinceMapped: true }));
  const changed = sampleConfiguration({ products });
  expect(describe({ "/mappings/Auto": { action: "keep" } }, changed)).toBe("mapping of Auto kept");
  expect(
    describe({ "/mappings/Auto": { action: "keep" }, "/mappings/Auto/vin": set("$.vin") }, changed),
  ).toBe("1 mapping field changed");
});
