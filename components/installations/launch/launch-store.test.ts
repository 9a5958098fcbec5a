import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type LaunchDraft,
  type LaunchOffer,
  openLaunchSheet,
  withDraftAnswers,
} from "@/components/catalog/configuration-form/launch-draft";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { draftKey, findFormerSecrets, openLaunchStore } from "./launch-store";

const SECRET = "canary-1f0c";
const region: Setting = {
  name: "region",
  title: "Region",
  type: "Select",
  values: [
    { text: "Europe", value: "eu" },
    { text: "America", value: "us" },
  ],
};
const note: Setting = { name: "note", title: "Note", type: "Text" };
const apiKey: Setting = { name: "apiKey", title: "Key", type: "Password", required: true };
const discount: Setting = { name: "discount", title: "Discount", type: "Text", sensitive: true };
const tier: Setting = { ...region, name: "tier", title: "Tier", sensitive: true };

const createOffer = (settings: Setting[], number = "1.0.0"): LaunchOffer => ({
  versionId: "v",
  number,
  title: "App",
  name: "acme/app",
  publisherName: "Acme",
  settings,
  mappingFields: [{ name: "vin", title: "VIN" }],
  publicEndpoints: [],
  rights: { permissions: [], hosts: [] },
  tenants: [{ id: "t", name: "T", hostName: "t.example", products: [{ name: "Auto" }] }],
});
const OFFER = createOffer([region, note, apiKey, discount, tier]);
const KEY = draftKey({ userId: "u", organizationId: "o", app: "acme/app", test: false });

function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    key: (at) => [...items.keys()][at] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

let storage: Storage;
beforeEach(() => {
  vi.useFakeTimers();
  storage = memoryStorage();
});
afterEach(() => vi.useRealTimers());

const open = (offer = OFFER) => openLaunchStore(() => storage, KEY, offer);
const stored = () => storage.getItem(KEY) ?? "";
const set = (name: string, text: string | undefined) => (draft: LaunchDraft) =>
  withDraftAnswers(OFFER, draft, [[`/settings/${name}`, { action: "set", text }]]);
const mapVin = (draft: LaunchDraft) =>
  withDraftAnswers(OFFER, draft, [["/mappings/Auto/vin", { action: "set", text: "$.vin" }]]);
const textsIn = ({ answers }: LaunchDraft) => [...answers].map(([pointer, { text }]) => [pointer, text]);
const readText = (draft: LaunchDraft, name: string) => draft.answers.get(`/settings/${name}`)?.text;

// Guarantee: answers come back on the next visit; secrets are asked for again, and were never stored.
test("plain answers are saved, sensitive ones of every type are not", () => {
  const store = open();
  store.change(set("region", "us"), OFFER);
  store.change(set("note", ""), OFFER);
  for (const name of ["apiKey", "discount"]) store.change(set(name, SECRET), OFFER);
  store.change(set("tier", "eu"), OFFER);
  store.change(mapVin, OFFER);
  expect(store.getState().draft.answers.get("/settings/apiKey")?.text).toBe(SECRET);
  vi.runAllTimers();
  expect(stored()).not.toContain(SECRET);
  expect(stored()).not.toContain('"eu"');

  const { draft, found, secrets } = open().getState();
  expect(textsIn(draft)).toEqual([
    ["/settings/region", "us"],
    ["/settings/note", ""],
    ["/tenants/t/mappings/Auto/vin", "$.vin"],
  ]);
  expect([...secrets].sort()).toEqual(["apiKey", "discount", "tier"]);
  expect(found?.number).toBe("1.0.0");
});

// Guarantee: a version that declares a secret as plain text neither shows nor saves what was entered as a secret.
test("a former secret is neither shown nor saved until it is entered as plain", () => {
  const plain = createOffer([{ name: "apiKey", title: "Key", type: "Text" }], "0.9.0");
  const store = open();
  store.change(set("apiKey", SECRET), OFFER);
  store.change(mapVin, plain);
  vi.runAllTimers();
  expect(stored()).not.toContain(SECRET);
  const seen = () => {
    const { draft, secrets } = store.getState();
    return openLaunchSheet(plain, draft, findFormerSecrets(plain, secrets)).toSend().settings.apiKey;
  };
  expect(seen()).toBeUndefined();

  store.change(set("apiKey", "in the open"), plain);
  vi.runAllTimers();
  expect(seen()).toEqual({ action: "set", value: "in the open" });
  expect(stored()).toContain("in the open");
});

// Guarantee: a plain saved answer is not restored once its setting is a secret.
test("a setting that became sensitive is asked for again", () => {
  const store = open(createOffer([{ ...note }]));
  store.change(set("note", SECRET), createOffer([note]));
  vi.runAllTimers();
  expect(stored()).toContain(SECRET);
  const sensitive = createOffer([{ ...note, sensitive: true }]);
  const again = open(sensitive);
  expect(again.getState().draft.answers.size).toBe(0);
  expect([...again.getState().secrets]).toEqual(["note"]);
  expect(stored()).not.toContain(SECRET);
});

test("a secret that is emptied again is not asked for on the next visit", () => {
  const store = open();
  store.change(set("note", "n"), OFFER);
  store.change(set("apiKey", SECRET), OFFER);
  store.change(set("apiKey", undefined), OFFER);
  vi.runAllTimers();
  expect(open().getState().secrets.size).toBe(0);
});

// Guarantee: a launch leaves nothing behind, even if a save is pending.
test("a launched draft is deleted, and the page still shows it", () => {
  const store = open();
  store.change(set("note", "n"), OFFER);
  store.flush();
  expect(stored()).not.toBe("");
  store.change(set("note", "m"), OFFER);
  store.finish();
  store.flush();
  vi.runAllTimers();
  expect(stored()).toBe("");
  expect(readText(store.getState().draft, "note")).toBe("m");
  expect(open().getState().found).toBeUndefined();
});

test("starting over empties the draft and the storage", () => {
  const store = open();
  store.change(set("note", "n"), OFFER);
  store.startOver();
  vi.runAllTimers();
  expect(stored()).toBe("");
  expect(store.getState().draft.answers.size).toBe(0);
});

// Guarantee: neither a broken copy nor a blocked storage breaks the page.
test.each(["", "{", "null", '{"answers":[[1,2]]}', "[]"])("a copy such as %j is deleted", (text) => {
  storage.setItem(KEY, text);
  expect(open().getState().found).toBeUndefined();
  expect(storage.getItem(KEY)).toBeNull();
});

test("without storage the draft is only in memory, and the page says so", () => {
  const store = openLaunchStore(
    () => {
      throw new DOMException("denied", "SecurityError");
    },
    KEY,
    OFFER,
  );
  store.change(set("note", "n"), OFFER);
  vi.runAllTimers();
  expect(store.getState()).toMatchObject({ isSaved: false });
  expect(readText(store.getState().draft, "note")).toBe("n");
});

test("each user, organization, app and kind of launch has its own draft", () => {
  const owner = { userId: "u", organizationId: "o", app: "acme/app", test: false };
  const others = [{ userId: "x" }, { organizationId: "x" }, { app: "acme/x" }, { test: true }];
  const keys = others.map((other) => draftKey({ ...owner, ...other }));
  expect(new Set([KEY, ...keys]).size).toBe(5);
});
