import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Setting } from "@/lib/contract/manifest";
import { keyOfDraft } from "./kept-draft";
import { pathKey, withPath, withSetting } from "./launch-draft";
import type { LaunchOffer } from "./launch-offer";
import { openLaunchStore, withoutFormerSecrets } from "./launch-store";

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

const offerOf = (settings: Setting[], number = "1.0.0"): LaunchOffer => ({
  versionId: "v",
  number,
  title: "App",
  name: "acme/app",
  publisherName: "Acme",
  settings,
  mappingFields: [{ name: "vin", title: "VIN" }],
  tenants: [{ id: "t", name: "T", hostName: "t.example", products: [{ name: "Auto" }] }],
});
const OFFER = offerOf([region, note, apiKey, discount, tier]);
const KEY = keyOfDraft({ userId: "u", organizationId: "o", app: "acme/app", test: false });

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
const set = (name: string, value: string | undefined) => (draft: Parameters<typeof withSetting>[0]) =>
  withSetting(draft, name, value);

// Guarantee: what was answered comes back on another visit; secrets are asked for again, and were never stored.
test("plain answers are kept, sensitive ones of every type are not", () => {
  const store = open();
  store.change(set("region", "us"), OFFER);
  store.change(set("note", ""), OFFER);
  for (const name of ["apiKey", "discount"]) store.change(set(name, SECRET), OFFER);
  store.change(set("tier", "eu"), OFFER);
  store.change((draft) => withPath(draft, ["t", "Auto", "vin"], "$.vin"), OFFER);
  expect(store.state().draft.settings.get("apiKey")).toBe(SECRET);
  vi.runAllTimers();
  expect(stored()).not.toContain(SECRET);
  expect(stored()).not.toContain('"eu"');

  const { draft, found, secrets } = open().state();
  expect([...draft.settings]).toEqual([
    ["region", "us"],
    ["note", ""],
  ]);
  expect(draft.paths).toEqual(new Map([[pathKey("t", "Auto", "vin"), "$.vin"]]));
  expect([...secrets].sort()).toEqual(["apiKey", "discount", "tier"]);
  expect(found?.number).toBe("1.0.0");
});

// Guarantee: a version that declares a secret as plain text neither shows nor stores what was entered as a secret.
test("a former secret is neither shown nor kept, until it is entered as plain", () => {
  const plain = offerOf([{ name: "apiKey", title: "Key", type: "Text" }], "0.9.0");
  const store = open();
  store.change(set("apiKey", SECRET), OFFER);
  store.change((draft) => withPath(draft, ["t", "Auto", "vin"], "$.vin"), plain);
  vi.runAllTimers();
  expect(stored()).not.toContain(SECRET);
  const seen = () => withoutFormerSecrets(store.state().draft, plain, store.state().secrets).settings;
  expect(seen().has("apiKey")).toBe(false);

  store.change(set("apiKey", "in the open"), plain);
  vi.runAllTimers();
  expect(seen().get("apiKey")).toBe("in the open");
  expect(stored()).toContain("in the open");
});

// Guarantee: what was stored as plain is not taken over once it is a secret.
test("a setting that became sensitive is asked for again", () => {
  const store = open(offerOf([{ ...note }]));
  store.change(set("note", SECRET), offerOf([note]));
  vi.runAllTimers();
  expect(stored()).toContain(SECRET);
  const sensitive = offerOf([{ ...note, sensitive: true }]);
  const again = open(sensitive);
  expect(again.state().draft.settings.size).toBe(0);
  expect([...again.state().secrets]).toEqual(["note"]);
  expect(stored()).not.toContain(SECRET);
});

test("a secret that is emptied again is not asked for on the next visit", () => {
  const store = open();
  store.change(set("note", "n"), OFFER);
  store.change(set("apiKey", SECRET), OFFER);
  store.change(set("apiKey", undefined), OFFER);
  vi.runAllTimers();
  expect(open().state().secrets.size).toBe(0);
});

// Guarantee: a launch leaves nothing behind, also where something still waits to be kept.
test("what is launched is forgotten, and the page still shows it", () => {
  const store = open();
  store.change(set("note", "n"), OFFER);
  store.flush();
  expect(stored()).not.toBe("");
  store.change(set("note", "m"), OFFER);
  store.forget();
  store.flush();
  vi.runAllTimers();
  expect(stored()).toBe("");
  expect(store.state().draft.settings.get("note")).toBe("m");
  expect(open().state().found).toBeUndefined();
});

test("starting anew empties the draft and the storage", () => {
  const store = open();
  store.change(set("note", "n"), OFFER);
  store.startAnew();
  vi.runAllTimers();
  expect(stored()).toBe("");
  expect(store.state().draft.settings.size).toBe(0);
});

// Guarantee: neither a broken copy nor a closed storage breaks the page.
test.each(["", "{", "null", '{"settings":[[1,2]]}', "[]"])("a copy such as %j is thrown away", (text) => {
  storage.setItem(KEY, text);
  expect(open().state().found).toBeUndefined();
  expect(storage.getItem(KEY)).toBeNull();
});

test("a browser without storage says so, and keeps the draft in memory", () => {
  const store = openLaunchStore(
    () => {
      throw new DOMException("denied", "SecurityError");
    },
    KEY,
    OFFER,
  );
  store.change(set("note", "n"), OFFER);
  vi.runAllTimers();
  expect(store.state()).toMatchObject({ isKept: false });
  expect(store.state().draft.settings.get("note")).toBe("n");
});

test("the draft of another person, organization, app or kind of launch is another one", () => {
  const owner = { userId: "u", organizationId: "o", app: "acme/app", test: false };
  const others = [{ userId: "x" }, { organizationId: "x" }, { app: "acme/x" }, { test: true }];
  const keys = others.map((other) => keyOfDraft({ ...owner, ...other }));
  expect(new Set([KEY, ...keys]).size).toBe(5);
});
