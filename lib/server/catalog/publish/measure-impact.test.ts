import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { installations } from "@/drizzle/schema/installations";
import { configurations, type StoredSetting } from "@/drizzle/schema/installations-configurations";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { toPublisher } from "@/lib/domain/platform/actor";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { saveDraft } from "./manifest-draft";
import { measureImpact } from "./measure-impact";

const platform = await testPlatform();
const CANARY = "canary-value-4711";

async function givenListed() {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const install = async (
    slug: string,
    settings: Record<string, StoredSetting>,
    mappings: { productName: string; fields: Record<string, string> }[] = [],
    state: "RUNNING" | "ERROR" | "UNINSTALLED" = "RUNNING",
  ) => {
    const customer = await givenMember(platform, slug);
    const { tenant } = await givenTenant(platform, customer);
    const { installation } = await givenInstallation(platform, customer, version, tenant.id);
    const { id } = installation;
    // The earlier revision is empty: only the newest counts.
    await platform.db
      .update(configurations)
      .set({ settings: {} })
      .where(eq(configurations.installationId, id));
    await platform.db.update(installations).set({ revision: 2, state }).where(eq(installations.id, id));
    const createdBy = customer.userId;
    await platform.db
      .insert(configurations)
      .values({ installationId: id, revision: 2, versionId: version.id, settings, mappings, createdBy });
  };
  const actor = toPublisher(publisher);
  const draft = async (manifest: Manifest | string, revision: number) => {
    const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
    return saveDraft(platform, actor, listing.id, { text, revision, baseVersionId: version.id });
  };
  return { install, draft, measure: () => measureImpact(platform, actor, listing.id), listing };
}

const sealed: StoredSetting = {
  kind: "sealed",
  sealed: CANARY,
  type: "Password",
  setIn: 1,
  updatedAt: "2026-01-01T00:00:00Z",
  by: "x",
};
const plain = (value: string): StoredSetting => ({ kind: "plain", value });
const [region, apiKey, note] = listSettings(SAMPLE_MANIFEST);
if (region === undefined || apiKey === undefined || note === undefined) throw new Error("the sample changed");

// Guarantee: publishers see what live installations would have to fill in, and how many, but none of their values.
test("the impact counts what the stored configurations lack for the draft", async () => {
  const { install, draft, measure } = await givenListed();
  const whole = { region: plain("us"), apiKey: sealed, note: plain(CANARY) };
  const vin = (fields: Record<string, string>) => [
    { productName: "Auto", fields: { vin: "$.vin" } },
    { productName: "Home", fields },
  ];
  await install("complete", { ...whole, contact: plain(CANARY) }, vin({ vin: "$.a", year: "$.b" }));
  await install("typical", whole, vin({ vin: "$.a" }));
  await install("bare", { region: plain("eu") }, vin({}), "ERROR");
  await install("gone", {}, [], "UNINSTALLED");
  const unchanged = await measure();
  expect(unchanged).toEqual({
    revision: 0,
    installations: 3,
    affected: 1,
    asksToOpen: 0,
    mustFill: [
      { kind: "setting", name: "apiKey", title: "Provider key", installations: 1 },
      { kind: "mapping", name: "vin", title: "VIN field", installations: 1 },
    ],
    broken: false,
  });
  await draft(
    {
      ...SAMPLE_MANIFEST,
      app: {
        fields: [
          { ...region, values: [{ text: "Europe", value: "eu" }] },
          { ...apiKey, type: "Text" },
          { name: "contact", title: "Contact", type: "Text", required: true },
          note,
        ],
      },
      core: { fields: [{ name: "year", title: "Year", required: true }] },
    },
    0,
  );
  const impact = await measure();
  expect(impact).toEqual({
    revision: 1,
    installations: 3,
    affected: 3,
    asksToOpen: 0,
    mustFill: [
      { kind: "setting", name: "region", title: "Region", installations: 3 },
      { kind: "setting", name: "apiKey", title: "Provider key", installations: 3 },
      { kind: "setting", name: "contact", title: "Contact", installations: 2 },
      { kind: "mapping", name: "year", title: "Year", installations: 3 },
    ],
    broken: false,
  });
  expect(JSON.stringify([unchanged, impact])).not.toMatch(/canary|\$\.|complete|typical/);
});

// Guarantee: the counts don't depend on stored values, so no series of drafts can guess one.
test.each<[string, StoredSetting[]]>([
  ["region", ["eu", "us"].map(plain)],
  ["note", ["", "gold", "silver"].map(plain)],
  ["apiKey", [sealed, { ...sealed, sealed: "other" }]],
])("a right guess at the value of '%s' gives the same counts as a wrong one", async (name, values) => {
  const { install, draft, measure } = await givenListed();
  const base = { region: plain("eu"), apiKey: sealed, note: plain("gold") };
  await install("only", base, [{ productName: "Auto", fields: { vin: "$.vin" } }]);
  const guesses: Partial<Setting>[] = [
    ...["eu", "us", "gold", "silver"].map((value): Partial<Setting> => ({
      type: "Select",
      values: [{ text: "Guess", value }],
    })),
    { type: "Select", values: ["eu", "us", "gold"].map((value) => ({ text: value, value })) },
    { type: "Text", required: true },
    { type: "Text", required: true, sensitive: true },
    { type: "Password", required: true },
  ];
  for (const [revision, guess] of guesses.entries()) {
    const fields = listSettings(SAMPLE_MANIFEST).map((field) =>
      field.name === name ? { name, title: name, ...guess, type: guess.type ?? field.type } : field,
    );
    await draft({ ...SAMPLE_MANIFEST, app: { fields } }, revision);
    const answers = new Set<string>();
    for (const value of values) {
      const settings = { ...base, [name]: value };
      await platform.db.update(configurations).set({ settings }).where(eq(configurations.revision, 2));
      answers.add(JSON.stringify(await measure()));
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain(`"revision":${revision + 1}`);
  }
});

test("added options, or a select that becomes a text, affect no one", async () => {
  const { install, draft, measure } = await givenListed();
  const auto = [{ productName: "Auto", fields: { vin: "$.vin" } }];
  await install("only", { region: plain("eu"), apiKey: sealed, note: plain("x") }, auto);
  const wider = { ...region, values: [...(region.values ?? []), { text: "Asia", value: "as" }] };
  await draft({ ...SAMPLE_MANIFEST, app: { fields: [wider, apiKey, note] } }, 0);
  expect(await measure()).toMatchObject({ affected: 0, mustFill: [] });
  const open = { name: "region", title: "Region", type: "Text" as const, required: true };
  await draft({ ...SAMPLE_MANIFEST, app: { fields: [open, apiKey, { ...note, required: true }] } }, 1);
  expect(await measure()).toMatchObject({ affected: 0, mustFill: [] });
});

test("installations are counted across batches", async () => {
  const { install, measure } = await givenListed();
  for (let number = 0; number < 41; number += 1)
    await install(`customer-${number}`, number % 2 === 0 ? { region: plain("eu"), apiKey: sealed } : {});
  expect(await measure()).toMatchObject({ installations: 41, affected: 20 });
});

test("an invalid draft affects no one and is reported as broken", async () => {
  const { install, draft, measure } = await givenListed();
  await install("customer", {});
  await draft("{", 0);
  expect(await measure()).toEqual({
    revision: 1,
    installations: 1,
    affected: 0,
    asksToOpen: 0,
    mustFill: [],
    broken: true,
  });
});

test("another organization gets NOT_FOUND", async () => {
  const { listing } = await givenListed();
  const stranger = toPublisher(await givenMember(platform, "harbor"));
  await expect(measureImpact(platform, stranger, listing.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee: publishers see how many customers are asked before something becomes public.
test("the impact counts the customers who are asked to open an endpoint", async () => {
  const { install, draft, measure } = await givenListed();
  await install("one", { region: plain("us"), apiKey: sealed }, []);
  await install("two", { region: plain("us"), apiKey: sealed }, []);
  await install("gone", {}, [], "UNINSTALLED");
  const endpoint = { path: "/callbacks/*", methods: ["POST" as const], title: "Callbacks" };
  const withAccess = (access: "core" | "public"): Manifest => ({
    ...SAMPLE_MANIFEST,
    core: { ...SAMPLE_MANIFEST.core, endpoints: [{ ...endpoint, access }] },
  });
  await draft(withAccess("core"), 0);
  expect(await measure()).toMatchObject({ installations: 2, asksToOpen: 0 });
  await draft(withAccess("public"), 1);
  expect(await measure()).toMatchObject({ installations: 2, asksToOpen: 2 });
});
