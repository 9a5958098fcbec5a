/** Guarantee: while the browser translates the pages, none of them crashes, they go on changing, and what was typed stays. */
import type { Page } from "@playwright/test";
import { isDue } from "@/tests/turns.mjs";
import { collectConsoleErrors as collectErrors, saveScreenshot } from "./accessibility";
import { expect, open, signInAs, test } from "./fixtures";
import { givenOrganization, givenTenant } from "./given";
import { waitForDemo } from "./start-platform";
import { translatePages } from "./translate-pages";
import { listSteps, startVisits, USERS, visit } from "./visits";
import { coreFor } from "./workflows";

test.beforeAll(({ platform }) => waitForDemo(platform));

const translated = (page: Page) => expect(page.locator("main font").first()).toBeAttached();
const notCrashed = (page: Page) =>
  expect(page.getByText("Something went wrong"), `${page.url()} crashed`).toHaveCount(0);

/** Without those of a page that was translated before React took it over: React then draws it again (error 418). */
function collectConsoleErrors(page: Page): () => string[] {
  const errors = collectErrors(page);
  return () => errors.filter((error) => !error.includes("React error #418"));
}

for (const user of USERS) {
  if (!isDue(`translated pages of a ${user}`)) continue;
  test(`the translated pages of a ${user}`, async ({ platform, page }) => {
    test.setTimeout(300_000);
    const errors = collectConsoleErrors(page);
    await translatePages(page);
    await startVisits(page, platform.webUrl, user);
    const checked = new Set<string>();
    let parent = "";
    for (const go of listSteps(user)) {
      parent = await visit(page, platform.webUrl, go, parent);
      await translated(page);
      if (checked.has(page.url())) continue;
      checked.add(page.url());
      await toggleControls(page);
      await notCrashed(page);
      // React removes the whole page, and draws it again.
      await page.evaluate(() => history.pushState(null, "", "#left"));
      await page.goBack();
      await notCrashed(page);
    }
    expect(errors()).toEqual([]);
  });
}

/** Opens and closes what a page shows and hides, without a request that changes anything. */
async function toggleControls(page: Page): Promise<void> {
  const toggles = page.getByRole("main").locator("button[aria-expanded], [role=tab], summary");
  const count = Math.min(await toggles.count(), 4);
  for (let index = 0; index < count; index += 1) {
    const toggle = toggles.nth(index);
    if (!(await toggle.isVisible())) continue;
    await toggle.click({ timeout: 5_000 }).catch(() => {});
    await page.keyboard.press("Escape");
    await notCrashed(page);
  }
}

async function openTranslated(page: Page, url: string): Promise<void> {
  await open(page, url);
  await translated(page);
}

test.describe("an organization of its own", () => {
  const slug = `translated-${Date.now().toString(36)}`;
  const core = coreFor(slug);

  test("the mapping step keeps what was typed", async ({ browser, platform }) => {
    const page = await givenOrganization(browser, platform, slug);
    await givenTenant(page, platform, core, slug);
    const errors = collectConsoleErrors(page);
    await translatePages(page);
    await openTranslated(page, `${platform.webUrl}/launch/acme/vin-autofill`);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: /Region/ }).click();
    await page.getByRole("option", { name: "America" }).click();
    await page.getByRole("textbox", { name: /VIN provider key/ }).fill("typed while translated");
    await page.getByRole("button", { name: "Continue" }).click();
    const path = page.getByRole("textbox", { name: /VIN/ });
    for (const text of ["$.", "$.nothing.here", "$.vehicle", ""]) {
      await path.fill(text);
      await expect(path).toHaveValue(text);
    }
    await page
      .getByRole("button", { name: /Use \$.*vin/i })
      .first()
      .click();
    await expect(path).toHaveValue(/vin/i);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Back" }).click();
    await expect(path).toHaveValue(/vin/i);
    await notCrashed(page);
    await saveScreenshot(page, "translated mapping step");
    expect(errors()).toEqual([]);
  });
});

test("the listing editor keeps what was typed", async ({ platform, page }) => {
  const errors = collectConsoleErrors(page);
  await translatePages(page);
  await signInAs(page, platform.webUrl, "publisher@demo.example");
  await openTranslated(page, `${platform.webUrl}/publish/vin-autofill/edit`);
  const fields = page.getByRole("main").getByRole("textbox");
  const count = await fields.count();
  expect(count).toBeGreaterThan(3);
  for (let index = 0; index < count; index += 1) {
    const field = fields.nth(index);
    const before = await field.inputValue();
    await field.fill("");
    await field.fill(`${before} typed`);
    await expect(field).toHaveValue(`${before} typed`);
  }
  await notCrashed(page);
  await saveScreenshot(page, "translated listing editor");
  expect(errors()).toEqual([]);
});

test("live lists pause and resume, and their button says so", async ({ platform, page }) => {
  const errors = collectConsoleErrors(page);
  await translatePages(page);
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  await openTranslated(page, `${platform.webUrl}/calls`);
  for (let turn = 0; turn < 3; turn += 1) {
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByText(/^«?Paused»?$/)).toBeVisible();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByText(/^«?Paused»?$/)).toHaveCount(0);
  }
  await notCrashed(page);
  expect(errors()).toEqual([]);
});

test("the audit trail is filtered", async ({ platform, page }) => {
  const errors = collectConsoleErrors(page);
  await translatePages(page);
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  await openTranslated(page, `${platform.webUrl}/organization/audit`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: /Action/ }).click();
  await page.getByRole("option").nth(3).click();
  await expect(page).toHaveURL(/action=/);
  await main.getByLabel("From").fill("2020-01-01");
  await expect(page).toHaveURL(/from=2020-01-01/);
  await main.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(/audit$/);
  await expect(main.getByRole("link", { name: "Clear" })).toHaveCount(0);
  await notCrashed(page);
  expect(errors()).toEqual([]);
});

test("Configure keeps what was typed", async ({ platform, page }) => {
  const errors = collectConsoleErrors(page);
  await translatePages(page);
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  await openTranslated(page, `${platform.webUrl}/installations`);
  await page
    .getByRole("main")
    .getByRole("link", { name: /VIN autofill/ })
    .first()
    .click();
  await expect(page).toHaveURL(/[0-9a-f-]{36}$/);
  await openTranslated(page, `${page.url()}/configure`);
  const fields = page.getByRole("main").getByRole("textbox");
  const count = await fields.count();
  expect(count).toBeGreaterThan(0);
  for (let index = 0; index < count; index += 1) {
    const field = fields.nth(index);
    if (!(await field.isEditable())) continue;
    await field.fill("");
    await field.fill(`typed ${index}`);
    await expect(field).toHaveValue(`typed ${index}`);
  }
  for (const radio of await page.getByRole("radio").all()) await radio.check({ force: true });
  await notCrashed(page);
  await saveScreenshot(page, "translated Configure");
  expect(errors()).toEqual([]);
});
