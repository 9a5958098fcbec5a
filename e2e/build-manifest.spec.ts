/** The manifest of the design, built from nothing in the editor: by mouse, by keyboard alone, by touch. Each ends with the same file. */
import type { Page } from "@playwright/test";
import { newManifestText } from "@/lib/domain/catalog/manifest/entry";
import { isDue } from "@/tests/turns.mjs";
import { exportFile, startEditing } from "./editor";
import { expect, test } from "./fixtures";
import { type EditorInput, keyboardInput, mouseInput, touchInput } from "./input";

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

const DESKTOP = { viewport: { width: 1440, height: 900 }, hasTouch: false };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const WAYS = [
  { way: "by mouse", inputFor: mouseInput, ...DESKTOP, due: true },
  { way: "by keyboard alone", inputFor: keyboardInput, ...DESKTOP, due: isDue("editor by keyboard") },
  { way: "by touch", inputFor: touchInput, ...PHONE, due: isDue("editor by touch") },
];

for (const { way, inputFor, viewport, hasTouch } of WAYS.filter(({ due }) => due)) {
  test(`a manifest is built ${way}, undone completely, and redone`, async ({ platform, browser }) => {
    test.setTimeout(240_000);
    const context = await browser.newContext({ viewport, hasTouch });
    const page = await context.newPage();
    await startEditing(page, platform, { appName: APP, title: "VIN lookup", manifest: START });
    const input = inputFor(page);
    await build(input, page);
    const file = await exportFile(page);
    expect(JSON.parse(file)).toEqual(DESIGNED);
    files.set(way, file);
    expect(new Set(files.values()).size, `${[...files.keys()].join(" and ")} end alike`).toBe(1);

    const undo = page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Undo/ });
    for (let step = 0; step < 200 && (await undo.isEnabled()); step += 1) await input.undo();
    expect(await exportFile(page)).toBe(START);
    const redo = page.getByRole("group", { name: "History" }).getByRole("button", { name: /^Redo/ });
    for (let step = 0; step < 200 && (await redo.isEnabled()); step += 1) await input.redo();
    expect(await exportFile(page)).toBe(file);
    await context.close();
  });
}

/** The key first, to have something to put in order. */
async function build(input: EditorInput, page: Page): Promise<void> {
  await input.open("VIN lookup");
  await input.fill("Version", "1.4.0");
  await input.add("Password", "Settings");
  await input.fill("Title", "Provider key");
  await input.fill("Name", "apiKey");
  await input.fill("Hint", "From your provider's console");
  await input.switchOn("Required");
  await input.add("Select", "Settings");
  await input.fill("Title", "Region");
  await input.fill("Name", "region");
  await input.switchOn("Required");
  await input.fill("Text 1", "Europe");
  await input.fill("Value 1", "eu");
  await input.addValue();
  await input.fill("Text 2", "America");
  await input.fill("Value 2", "us");
  await input.moveUp("Region", "Provider key");
  await input.add("Mapping field", "Mapping fields");
  await input.fill("Title", "VIN field");
  await input.fill("Name", "vin");
  await input.fill("Hint", "Where the VIN is kept");
  await input.switchOn("Required");
  await input.add("Webhook", "Webhooks");
  await input.fill("Events", "policy.issued\npolicy.cancelled");
  await input.add("Autofill", "Autofill");
  await input.add("External rater", "External raters");
  await input.fill("Name", "Telematics");
  for (let hook = 0; hook < 4; hook += 1) await input.add("Lifecycle hook", "Lifecycle hooks");
  // It lists no hosts.
  await expect(page.getByRole("button", { name: "1 warning", exact: true })).toBeVisible();
}
