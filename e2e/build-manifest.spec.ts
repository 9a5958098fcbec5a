/** The manifest of the design, built from nothing in the editor: by mouse, by keyboard alone, by touch. Each ends with the same file. */
import type { Page } from "@playwright/test";
import { newManifestText } from "@/lib/domain/manifest/new-entry";
import { storeDraft } from "./drafts";
import { ensureListing, exportedFile, openEditor } from "./edit-manifest";
import { expect, signInAs, test } from "./fixtures";
import { fingersOf, keyboardOf, mouseOf, type Hands } from "./hands";

const APP = "vin-lookup";
const START = newManifestText(`acme/${APP}`);

const DESIGNED = {
  name: "acme/vin-lookup",
  version: "1.4.0",
  app: {
    fields: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        required: true,
        values: [
          { text: "Europe", value: "eu" },
          { text: "America", value: "us" },
        ],
      },
      {
        name: "apiKey",
        title: "Provider key",
        type: "Password",
        hint: "From your provider's console",
        required: true,
      },
    ],
  },
  core: {
    fields: [{ name: "vin", title: "VIN field", hint: "Where the VIN is kept", required: true }],
    webhooks: [{ path: "/events", events: ["policy.issued", "policy.cancelled"] }],
    autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
    lifecycle: ["install", "uninstall", "start", "stop"],
  },
};

const files = new Map<string, string>();

const WAYS = [
  { way: "by mouse", handsOf: mouseOf, viewport: { width: 1440, height: 900 }, hasTouch: false },
  { way: "by keyboard alone", handsOf: keyboardOf, viewport: { width: 1440, height: 900 }, hasTouch: false },
  { way: "by touch", handsOf: fingersOf, viewport: { width: 390, height: 844 }, hasTouch: true },
];

for (const { way, handsOf, viewport, hasTouch } of WAYS) {
  test(`the manifest is built ${way}, taken back whole, and done again`, async ({ platform, browser }) => {
    test.setTimeout(240_000);
    const context = await browser.newContext({ viewport, hasTouch });
    const page = await context.newPage();
    await signInAs(page, platform.webUrl, "publisher@demo.example");
    await ensureListing(page, APP, "VIN lookup");
    await storeDraft(platform, page, APP, START);
    await openEditor(page, platform, APP);
    const hands = handsOf(page);
    await build(hands, page);
    const file = await exportedFile(page);
    expect(JSON.parse(file)).toEqual(DESIGNED);
    files.set(way, file);
    expect(new Set(files.values()).size, `${[...files.keys()].join(" and ")} end alike`).toBe(1);

    const undo = page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Undo/ });
    for (let step = 0; step < 200 && (await undo.isEnabled()); step += 1) await hands.undo();
    expect(await exportedFile(page)).toBe(START);
    const redo = page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Redo/ });
    for (let step = 0; step < 200 && (await redo.isEnabled()); step += 1) await hands.redo();
    expect(await exportedFile(page)).toBe(file);
    await context.close();
  });
}

/** The key first, to have something to put in order. */
async function build(hands: Hands, page: Page): Promise<void> {
  await hands.open("VIN lookup");
  await hands.fill("Version", "1.4.0");
  await hands.add("Password", "Settings");
  await hands.fill("Title", "Provider key");
  await hands.fill("Name", "apiKey");
  await hands.fill("Hint", "From your provider's console");
  await hands.switchOn("Required");
  await hands.add("Select", "Settings");
  await hands.fill("Title", "Region");
  await hands.fill("Name", "region");
  await hands.switchOn("Required");
  await hands.fill("Text 1", "Europe");
  await hands.fill("Value 1", "eu");
  await hands.addValue();
  await hands.fill("Text 2", "America");
  await hands.fill("Value 2", "us");
  await hands.moveUp("Region", "Provider key");
  await hands.add("Mapping field", "Mapping fields");
  await hands.fill("Title", "VIN field");
  await hands.fill("Name", "vin");
  await hands.fill("Hint", "Where the VIN is kept");
  await hands.switchOn("Required");
  await hands.add("Webhook", "Webhooks");
  await hands.fill("Events", "policy.issued\npolicy.cancelled");
  await hands.add("Autofill", "Autofill");
  await hands.add("External rater", "External raters");
  await hands.fill("Name", "Telematics");
  for (let hook = 0; hook < 4; hook += 1) await hands.add("Lifecycle hook", "Lifecycle hooks");
  await expect(page.getByText("No problems")).toBeVisible();
}
