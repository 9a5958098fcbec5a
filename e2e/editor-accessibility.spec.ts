/** Every tab of the manifest editor at phone, tablet and desktop width, in both themes; and what a drag by keyboard says. */
import { exportFile, openEditor, startEditing } from "./editor";
import { expect, test } from "./fixtures";
import { checkPageInAllThemes, collectConsoleErrors } from "./accessibility";

const APP = "looked-at";
const field = (name: string, title: string, more: object = {}) => ({ name, title, type: "Text", ...more });
const MANIFEST = JSON.stringify(
  {
    name: `acme/${APP}`,
    version: "1.0.0",
    "x-team": "claims",
    app: {
      fields: [
        field("region", "Region", {
          type: "Select",
          required: true,
          values: [
            { text: "Europe", value: "eu" },
            { text: "America", value: "us" },
          ],
        }),
        field("apiKey", "Provider key", { hint: "From your provider's console" }),
        field("apiKey", "A name that another has too"),
        field(
          "note",
          "A title that goes on and on, as long as titles in real manifests tend to be, and then some",
        ),
      ],
    },
    core: {
      fields: [{ name: "vin", title: "VIN field", required: true }],
      webhooks: [{ path: "/events", events: ["policy.issued", "policy.cancelled"] }],
      autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
      externalRaters: [{ name: "Telematics", path: "/rate" }],
      lifecycle: ["install", "uninstall"],
    },
  },
  null,
  2,
);

const TABS = ["design", "preview", "json", "app", "changes"];

test("the editor's tabs are in order", async ({ platform, page }) => {
  test.setTimeout(300_000);
  await startEditing(page, platform, { appName: APP, title: "Looked at", manifest: MANIFEST });
  const complaints = collectConsoleErrors(page);
  for (const tab of TABS) {
    // One with a version to compare with, and one with problems and none.
    for (const app of tab === "changes" ? [APP, "vin-autofill"] : [APP]) {
      await openEditor(page, platform, app, tab);
      await checkPageInAllThemes(page, `editor ${app} ${tab}`, [1440, 834, 390]);
    }
  }
  expect(complaints).toEqual([]);
});

test("a drag by keyboard is announced from its start to its end", async ({ platform, page }) => {
  await startEditing(page, platform, { appName: APP, title: "Looked at", manifest: MANIFEST });
  const said = await page.evaluateHandle(() => {
    const said: string[] = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node.parentElement?.closest("[aria-live],[data-live-announcer]"))
            said.push(node.textContent ?? "");
    }).observe(document.body, { childList: true, subtree: true });
    return said;
  });
  const list = page.getByRole("grid", { name: "Settings", exact: true });
  await list.getByRole("row", { name: "Region", exact: true }).getByRole("button", { name: /^Drag/ }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await said.jsonValue()).join("\n")).toMatch(/Started dragging/);
  const after = page.getByRole("button", { name: /^Insert between Provider key and/ });
  for (
    let count = 0;
    count < 10 && !(await after.evaluate((one) => one === document.activeElement));
    count += 1
  )
    await page.keyboard.press("ArrowDown");
  await expect(after).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await said.jsonValue()).join("\n")).toMatch(/Drop complete/);
  await expect.poll(async () => (await said.jsonValue()).join("\n")).toMatch(/Move "Region" down/);
  const names = JSON.parse(await exportFile(page)).app.fields.map((one: { name: string }) => one.name);
  expect(names).toEqual(["apiKey", "region", "apiKey", "note"]);
});
