/** What makes the manifest editor quick: paste, the command palette, shortcuts, problems that lead to their place. */
import { exportFile, startEditing } from "./editor";
import { expect, test } from "./fixtures";
import { checkPage, saveScreenshot } from "./accessibility";

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

for (const colorScheme of ["light", "dark"] as const) {
  test(`lines and spreadsheet columns are pasted, and every action is a few keys away, ${colorScheme}`, async ({
    platform,
    browser,
  }) => {
    const context = await browser.newContext({ colorScheme });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    await startEditing(page, platform, { appName: APP, title: "Quick edits", manifest: MANIFEST });
    const fields = async () => JSON.parse(await exportFile(page)).app.fields;

    await test.step("a paste of two columns is texts and values, a paste of lines is texts", async () => {
      await page.getByRole("row", { name: "Region", exact: true }).click();
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
      await checkPage(page, `the command palette, ${colorScheme}`);
      await saveScreenshot(page, `editor palette ${colorScheme}`);
      await page.keyboard.type("password");
      await expect(page.getByRole("menuitem", { name: /Password/ })).toHaveAttribute("data-focused", "true");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("dialog")).toBeHidden();
      expect((await fields()).map(({ type }: { type: string }) => type)).toContain("Password");
    });

    await test.step("a question mark shows all shortcuts", async () => {
      await page.getByRole("row", { name: "Key", exact: true }).click();
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog")).toContainText("Undo");
      await checkPage(page, `the shortcuts, ${colorScheme}`);
      await saveScreenshot(page, `editor shortcuts ${colorScheme}`);
      await page.keyboard.press("Escape");
    });

    await test.step("a problem leads to its field", async () => {
      await page.getByRole("textbox", { name: "Title", exact: true }).fill("");
      await page.getByRole("button", { name: /1 error/ }).click();
      await page.getByRole("region", { name: "Problems" }).getByRole("button").first().click();
      await expect(page.getByRole("textbox", { name: "Title", exact: true })).toBeFocused();
    });
    await context.close();
  });
}
