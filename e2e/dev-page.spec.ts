/** The page of `platform-app dev`, with the emulator and an example app as processes. */
import { readFile, writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { checkFocusRings, checkPage, collectConsoleErrors, saveLooks } from "./accessibility";
import { expect, test } from "./fixtures";
import { copyExample, startDev } from "./start-dev";
import { translatePages } from "./translate-pages";

const area = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name });

test("a publisher configures a customer, sends calls, runs the drills, edits the manifest, and restarts the emulator", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const app = await copyExample("vin-autofill");
  let dev = await startDev(app);
  const errors = collectConsoleErrors(page);
  try {
    await page.goto(dev.url);
    await expect(page.getByRole("status", { name: "App" })).toHaveText("Ready");
    await expect(page).toHaveTitle(/Console · .* · platform-app dev/);

    // A customer, in the product's own form. The app checks the answers first.
    await area(page, "Customers").click();
    await page.getByRole("link", { name: /Summit Mutual/ }).click();
    await field(page, "Greeting").fill("G".repeat(61));
    await button(page, "Check").click();
    await expect(
      page.getByText("Agents see up to 60 characters. Shorten the greeting.").first(),
    ).toBeVisible();
    await field(page, "Greeting").fill("Hello from Summit");
    await button(page, "Save").click();
    await expect(page.getByText(/Revision \d+ saved/)).toBeVisible();
    await expect(field(page, "Greeting")).toHaveValue("Hello from Summit");
    await checkPage(page, "dev customers");
    await saveLooks(page, "dev e2e customers");

    // A call of that customer: the answer, and the read of its state.
    await area(page, "Console").click();
    await page.getByRole("button", { name: /Customer$/ }).click();
    await page.getByRole("option", { name: "Summit Mutual" }).click();
    await expect(field(page, "Payload")).toHaveValue(/chassisNumber/);
    await button(page, "Send").click();
    const result = page.getByRole("article", { name: "Result for Summit Mutual" });
    await expect(result).toContainText('"greeting": "Hello from Summit"');
    await expect(result).toContainText("1 state read");
    const reads = page.getByRole("region", { name: "State reads", exact: true });
    await expect(reads.getByRole("listitem").first()).toContainText("Summit Mutual");
    await checkPage(page, "dev console");
    await checkFocusRings(page, "dev console", "content");
    await saveLooks(page, "dev e2e console");

    // Both customers side by side: no answer has the other's greeting.
    await page.getByRole("button", { name: /Customer$/ }).click();
    await page.getByRole("option", { name: "All customers" }).click();
    await button(page, "Send to 2 customers").click();
    await expect(page.getByRole("article", { name: "Result for Lakeside Insurance" })).toContainText(
      '"vehicle"',
    );
    await expect(result).toContainText('"greeting": "Hello from Summit"');
    await expect(page.getByRole("article", { name: "Result for Lakeside Insurance" })).not.toContainText(
      "Hello from Summit",
    );

    // Drills.
    await area(page, "Drills").click();
    await button(page, "Run all").click();
    await expect(page.getByText(/^[1-6] passed.*\.$/)).toBeVisible();
    await expect(button(page, "Run all")).toBeEnabled({ timeout: 120_000 });
    await expect(page.getByText("6 passed.")).toBeVisible();
    await checkPage(page, "dev drills");
    await saveLooks(page, "dev e2e drills");

    // A new setting appears in the form; a mistake is shown with its line.
    await area(page, "Customers").click();
    const before = await readFile(app.manifest, "utf8");
    const added = before.replace(
      '"fields": [',
      '"fields": [\n      { "name": "color", "title": "Color", "type": "Text" },',
    );
    await writeFile(app.manifest, added);
    await expect(field(page, "Color")).toBeVisible();
    await writeFile(app.manifest, added.replace('"type": "Text" }', '"type": "Number" }'));
    await expect(page.getByRole("alert").filter({ hasText: "Fix 1 problem in the manifest" })).toContainText(
      "platform-app.json:6:",
    );
    await writeFile(app.manifest, added);
    await expect(page.getByText("Fix 1 problem in the manifest")).toBeHidden();

    // The emulator stops and starts again. The page connects by itself, and the answers are still there.
    expect(errors).toEqual([]);
    await dev.stop();
    await expect(page.getByText("platform-app dev has stopped")).toBeVisible();
    dev = await startDev(app, Number(new URL(dev.url).port));
    await expect(page.getByText("platform-app dev has stopped")).toBeHidden();
    await expect(page.getByRole("status", { name: "App" })).toHaveText("Ready");
    await expect(field(page, "Greeting")).toHaveValue("Hello from Summit");
  } finally {
    await dev.stop();
    await app.remove();
  }
});

test("a translated page goes on changing", async ({ page }) => {
  const app = await copyExample("vin-autofill");
  const dev = await startDev(app);
  const errors = collectConsoleErrors(page);
  await translatePages(page);
  try {
    await page.goto(dev.url);
    await expect(page.getByRole("status", { name: "App" })).toHaveText("«Ready»");
    await button(page, "«Send»").click();
    // What changes is not always translated again.
    await expect(page.getByRole("article", { name: "Result for" })).toContainText("1 state read");
    for (const name of ["Customers", "Drills", "Console", "Customers"]) {
      await area(page, name).click();
      const heading = page.getByRole("heading", { level: 1 });
      await expect(heading).toContainText(name);
      // Translators leave some texts as they are, in elements of their own.
      await expect(heading.locator("font").first()).toBeAttached();
    }
    expect(errors).toEqual([]);
  } finally {
    await dev.stop();
    await app.remove();
  }
});
