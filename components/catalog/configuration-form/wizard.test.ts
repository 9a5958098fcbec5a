import { expect, test } from "vitest";
import type { Setting } from "@/lib/contract/catalog/manifest";
import {
  createLaunchInput,
  EMPTY_DRAFT,
  findLaunchIssues,
  type LaunchDraft,
  type LaunchOffer,
  openLaunchSheet,
  selectedTenant,
  withDraftAnswers,
} from "./launch-draft";
import { firstStepWithIssue, furthestStep, listProgress, listSteps, stepPointer } from "./wizard";

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
  publicEndpoints: [],
  rights: { permissions: [], hosts: [] },
  tenants: [tenant, second],
};

const stepsFor = (of: LaunchOffer, draft: LaunchDraft) => listSteps(of, selectedTenant(of, draft));
const issuesFor = (of: LaunchOffer, draft: LaunchDraft) =>
  findLaunchIssues(selectedTenant(of, draft), openLaunchSheet(of, draft));
const progressIn = (of: LaunchOffer, draft = EMPTY_DRAFT) =>
  listProgress(openLaunchSheet(of, draft), stepsFor(of, draft), issuesFor(of, draft));
const set = (draft: LaunchDraft, pointer: string, text: string) =>
  withDraftAnswers(offer, draft, [[pointer, { action: "set", text }]]);

// Guarantee: one step per product, and no step that would ask nothing.
test("the steps follow what is asked", () => {
  const chosen = { ...EMPTY_DRAFT, tenantId: "t1" };
  expect(stepsFor(offer, chosen).map(({ id }) => id)).toEqual([
    "tenant",
    "configure",
    "map-1",
    "map-2",
    "review",
  ]);
  const bare = { ...offer, settings: [], mappingFields: [] };
  expect(stepsFor(bare, chosen).map(({ id }) => id)).toEqual(["tenant", "review"]);
});

// Guarantee: a step that lacks something required blocks the next one; a step without required fields can be skipped.
test("the furthest step", () => {
  let draft = EMPTY_DRAFT;
  const furthest = () =>
    stepsFor(offer, draft)[furthestStep(stepsFor(offer, draft), issuesFor(offer, draft))]?.id;
  expect(furthest()).toBe("tenant");
  draft = { ...draft, tenantId: "t1" };
  expect(furthest()).toBe("configure");
  draft = set(draft, "/settings/region", "eu");
  expect(furthest()).toBe("map-1");
  draft = set(draft, "/mappings/Auto/vin", "$.vin");
  expect(furthest()).toBe("map-2");
  draft = set(draft, "/mappings/Ho~1me/vin", "$.vin");
  expect(furthest()).toBe("review");
  expect(progressIn(offer, draft)).toEqual(["answered", "answered", "answered", "answered", "open"]);

  const optional = { ...offer, settings: [note], mappingFields: [make], tenants: [tenant] };
  expect(progressIn(optional)).toEqual(["answered", "skipped", "skipped", "skipped", "open"]);
});

// Guarantee: a refused launch leads to the step with the issue, whatever the product's name.
test("the step of an issue", () => {
  const steps = stepsFor(offer, { ...EMPTY_DRAFT, tenantId: "t1" });
  const stepAt = (pointer: string) =>
    steps[firstStepWithIssue(steps, [{ code: "custom", pointer, message: "" }])]?.id;
  expect(stepAt("/settings/region")).toBe("configure");
  expect(stepAt("/mappings/Ho~1me/vin")).toBe("map-2");
  expect(stepAt("/tenantId")).toBe("tenant");
  expect(stepAt("/mappings/Boat")).toBeUndefined();
  expect(stepAt("")).toBeUndefined();
  expect(steps.map(stepPointer)).toContain("/mappings/Ho~1me");
});

test("a single tenant is selected, and switching to another loses nothing", () => {
  expect(selectedTenant({ ...offer, tenants: [tenant] }, EMPTY_DRAFT)?.id).toBe("t1");
  expect(selectedTenant(offer, EMPTY_DRAFT)).toBeUndefined();
  const mapped = set({ ...EMPTY_DRAFT, tenantId: "t1" }, "/mappings/Auto/vin", "$.vin");
  const switched = { ...mapped, tenantId: "t2" };
  expect(createLaunchInput(offer, second, openLaunchSheet(offer, switched), false).mappings).toEqual({});
  const back = openLaunchSheet(offer, { ...switched, tenantId: "t1" });
  expect(createLaunchInput(offer, tenant, back, false).mappings).toEqual({ Auto: { vin: "$.vin" } });
});

// Guarantee: only what the offered version asks and offers is sent.
test("answers that the version does not ask for are not sent", () => {
  const answers = { note: "Hi", region: "gone", old: "x" };
  const draft = Object.entries(answers).reduce(
    (filled, [name, text]) => set(filled, `/settings/${name}`, text),
    EMPTY_DRAFT,
  );
  expect(createLaunchInput(offer, tenant, openLaunchSheet(offer, draft), true)).toEqual({
    versionId: "v",
    openEndpoints: false,
    tenantId: "t1",
    test: true,
    settings: { note: { action: "set", value: "Hi" } },
    mappings: {},
  });
  expect(draft.answers.size).toBe(3);
});

// Guarantee: a tenant has an app once, so one that has it is never selected, also not by an old draft.
test("a tenant that has the app is not selected", () => {
  const installed = { ...tenant, installedAs: "i1" };
  const drafted = { ...EMPTY_DRAFT, tenantId: installed.id };
  expect(selectedTenant({ tenants: [installed] }, EMPTY_DRAFT)).toBeUndefined();
  expect(selectedTenant({ tenants: [installed, second] }, drafted)).toBe(second);
  expect(selectedTenant({ tenants: [installed, second, { ...second, id: "t3" }] }, drafted)).toBeUndefined();
});
