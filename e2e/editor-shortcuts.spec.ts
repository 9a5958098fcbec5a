/** What makes the manifest editor quick: paste, the command palette, shortcuts, problems that lead to their place. */
import { exportFile, selectEntry, startEditing } from "./editor";
import { expect, test } from "./fixtures";

const APP = "quick-edits";
const MANIFEST = JSON.stringify(
  {
    name: `acme/${APP}`,
    version: "1.0.0",
    app: {
      fields: [
        { name: "region", title: "Region", type: "Select", values: [{ text: "Europe", value: "eu" }] },
        { name: "apiKey", title: "Key", type: "Text" },
      ],
    },
  },
  null,
  2,
);

test("lines and spreadsheet columns can be pasted, and every action has a shortcut", async ({
  platform,
  context,
  page,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await startEditing(page, platform, { appName: APP, title: "Quick edits", manifest: MANIFEST });
  const fields = async () => JSON.parse(await exportFile(page)).app.fields;

  await test.step("a paste of two columns is texts and values, a paste of lines is texts", async () => {
    await selectEntry(page, "Region");
    await page.getByRole("button", { name: "Add a value" }).click();
    await expect(page.getByRole("textbox", { name: "Text 2" })).toBeFocused();
    await page.evaluate(() => navigator.clipboard.writeText("America\tus\nAsia\tas"));
    await page.keyboard.press("ControlOrMeta+V");
    await expect(page.getByText(/values pasted/).first()).toBeVisible();
    expect((await fields())[0].values).toEqual([
      { text: "Europe", value: "eu" },
      { text: "America", value: "us" },
      { text: "Asia", value: "as" },
    ]);
    await page.getByRole("button", { name: "Add a value" }).click();
    await expect(page.getByRole("textbox", { name: "Text 4" })).toBeFocused();
    await page.evaluate(() => navigator.clipboard.writeText("New Zealand\nSouth Africa"));
    await page.keyboard.press("ControlOrMeta+V");
    expect((await fields())[0].values.slice(3)).toEqual([
      { text: "New Zealand", value: "new-zealand" },
      { text: "South Africa", value: "south-africa" },
    ]);
  });

  await test.step("the command palette finds an action and runs it", async () => {
    await page.keyboard.press("ControlOrMeta+K");
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.type("password");
    await expect(page.getByRole("menuitem", { name: /Password/ })).toHaveAttribute("data-focused", "true");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeHidden();
    expect((await fields()).map(({ type }: { type: string }) => type)).toContain("Password");
  });

  await test.step("a question mark shows all shortcuts", async () => {
    await selectEntry(page, "Key");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toContainText("Undo");
    await page.keyboard.press("Escape");
  });

  await test.step("a problem leads to its field", async () => {
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("");
    await page.getByRole("button", { name: /1 error/ }).click();
    await page.getByRole("region", { name: "Problems" }).getByRole("button").first().click();
    await expect(page.getByRole("textbox", { name: "Title", exact: true })).toBeFocused();
  });
});

test("a keyboard drag is announced from start to end", async ({ platform, page }) => {
  const fields = ["Region", "Provider key", "Note"].map((title) => ({ name: title[0], title, type: "Text" }));
  const manifest = JSON.stringify({ name: `acme/${APP}`, version: "1.0.0", app: { fields } }, null, 2);
  await startEditing(page, platform, { appName: APP, title: "Quick edits", manifest });
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
  const after = page.getByRole("button", { name: /^Insert between Provider key and Note/ });
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
  expect(names).toEqual(["P", "R", "N"]);
});
