import { expect, test } from "vitest";
import type { Setting } from "@/lib/contract/manifest";
import {
  answersTo,
  EMPTY_DRAFT,
  issuesOf,
  launchInputOf,
  tenantOf,
  withPath,
  withSetting,
} from "./launch-draft";
import type { LaunchOffer } from "./launch-offer";
import { furthestOf, pointerOfStep, progressOf, stepOfFirst, stepsOf } from "./launch-steps";

const vin = { name: "vin", title: "VIN", required: true };
const make = { name: "make", title: "Make" };
const note: Setting = { name: "note", title: "Note", type: "Text" };
const region: Setting = {
  name: "region",
  title: "Region",
  type: "Select",
  required: true,
  values: [{ text: "Europe", value: "eu" }],
};
const products = [{ name: "Auto" }, { name: "Ho/me" }];
const tenant = { id: "t1", name: "One", hostName: "one.example", products };
const second = { ...tenant, id: "t2", name: "Two" };
const offer: LaunchOffer = {
  versionId: "v",
  number: "1.0.0",
  title: "App",
  name: "acme/app",
  publisherName: "Acme",
  settings: [note, region],
  mappingFields: [vin, make],
  tenants: [tenant, second],
};

const progressIn = (of: LaunchOffer, draft = EMPTY_DRAFT) =>
  progressOf(of, draft, stepsOf(of, draft), issuesOf(of, draft));

// Guarantee: one step a product, and no step that would ask nothing.
test("the steps follow what is asked", () => {
  const chosen = { ...EMPTY_DRAFT, tenantId: "t1" };
  expect(stepsOf(offer, chosen).map(({ id }) => id)).toEqual([
    "tenant",
    "configure",
    "map-1",
    "map-2",
    "review",
  ]);
  const bare = { ...offer, settings: [], mappingFields: [] };
  expect(stepsOf(bare, chosen).map(({ id }) => id)).toEqual(["tenant", "review"]);
});

// Guarantee: a step that lacks something required stops the way; one where nothing is required can be skipped.
test("how far it goes", () => {
  let draft = EMPTY_DRAFT;
  const furthest = () => stepsOf(offer, draft)[furthestOf(stepsOf(offer, draft), issuesOf(offer, draft))]?.id;
  expect(furthest()).toBe("tenant");
  draft = { ...draft, tenantId: "t1" };
  expect(furthest()).toBe("configure");
  draft = withSetting(draft, "region", "eu");
  expect(furthest()).toBe("map-1");
  draft = withPath(draft, ["t1", "Auto", "vin"], "$.vin");
  expect(furthest()).toBe("map-2");
  draft = withPath(draft, ["t1", "Ho/me", "vin"], "$.vin");
  expect(furthest()).toBe("review");
  expect(progressIn(offer, draft)).toEqual(["answered", "answered", "answered", "answered", "open"]);

  const optional = { ...offer, settings: [note], mappingFields: [make], tenants: [tenant] };
  expect(progressIn(optional)).toEqual(["answered", "skipped", "skipped", "skipped", "open"]);
});

// Guarantee: a refused launch leads to the step that answers for it, whatever the product's name.
test("the step of an issue", () => {
  const steps = stepsOf(offer, { ...EMPTY_DRAFT, tenantId: "t1" });
  const stepAt = (pointer: string) => steps[stepOfFirst(steps, [{ code: "x", pointer, message: "" }])]?.id;
  expect(stepAt("/settings/region")).toBe("configure");
  expect(stepAt("/mappings/Ho~1me/vin")).toBe("map-2");
  expect(stepAt("/tenantId")).toBe("tenant");
  expect(stepAt("/mappings/Boat")).toBeUndefined();
  expect(stepAt("")).toBeUndefined();
  expect(steps.map(pointerOfStep)).toContain("/mappings/Ho~1me");
});

test("an only tenant is chosen, and going to another loses nothing", () => {
  expect(tenantOf({ ...offer, tenants: [tenant] }, EMPTY_DRAFT)?.id).toBe("t1");
  expect(tenantOf(offer, EMPTY_DRAFT)).toBeUndefined();
  const mapped = withPath({ ...EMPTY_DRAFT, tenantId: "t1" }, ["t1", "Auto", "vin"], "$.vin");
  const back = { ...mapped, tenantId: "t2", settings: mapped.settings };
  expect(launchInputOf(offer, back, second, false).mappings.Auto).toEqual({ vin: "", make: "" });
  expect(launchInputOf(offer, { ...back, tenantId: "t1" }, tenant, false).mappings.Auto).toEqual({
    vin: "$.vin",
    make: "",
  });
});

// Guarantee: only what the offered version asks and offers is sent.
test("answers that the version does not ask are not sent", () => {
  const answered = [
    ["note", ""],
    ["region", "gone"],
    ["old", "x"],
  ].reduce((draft, [name = "", value]) => withSetting(draft, name, value), EMPTY_DRAFT);
  const draft = answersTo(offer, answered);
  expect(launchInputOf(offer, draft, tenant, true)).toMatchObject({
    test: true,
    settings: { note: { action: "set", value: "" } },
  });
  expect([...draft.settings.keys()]).toEqual(["note"]);
});
