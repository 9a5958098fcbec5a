/** A platform of its own, whose parts are frozen one after another: what people who have pages open read, and what they keep. */
import type { Page } from "@playwright/test";
import { expect, open, openTab, signInAs, test } from "./fixtures";
import { type StartedPlatform, startPlatform } from "./start-platform";

let platform: StartedPlatform;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  platform = await startPlatform("process");
});

test.afterAll(async () => {
  expect(await platform?.stop()).toBe(0);
});

const SOON = { timeout: 45_000 };

/** A picture of the page as it is, for people. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PLATFORM_SCREENSHOTS ?? "";
  if (folder === "") return;
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${folder}/real-${name}-${colorScheme}-${width}.png` });
    }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test("while the worker is frozen, pages promise nothing that only it does", async ({ page }) => {
  test.setTimeout(240_000);
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  await open(page, `${platform.webUrl}/installations`);
  await page.getByRole("link", { name: /VIN autofill/ }).click();
  await expect(page).toHaveURL(/installations\/[0-9a-f-]{36}/);
  await expect(page.getByText("Running", { exact: true })).toBeVisible({ timeout: 90_000 });
  const thaw = await platform.freeze("worker");
  try {
    await expect(page.getByText("The platform's worker is unavailable", { exact: true })).toBeVisible(SOON);
    await expect(page.getByText("Nothing new starts or stops right now")).toBeVisible();
    await openTab(page, "Settings");
    await openTab(page, "Overview");
    await page.getByRole("button", { name: "Stop" }).click();
    await page
      .getByRole("dialog")
      .or(page.getByRole("alertdialog"))
      .getByRole("button", { name: "Stop" })
      .click();
    await expect(page.getByText(/It finishes stopping the app when it is back/)).toBeVisible(SOON);
    await expect(page.getByText(/stop hook is being called/)).toBeHidden();
    await picture(page, "worker");
  } finally {
    thaw();
  }
  await expect(page.getByText("The platform's worker is unavailable", { exact: true })).toBeHidden(SOON);
  await expect(page.getByText("Stopped", { exact: true }).first()).toBeVisible(SOON);
});

test("while the database is frozen, forms keep what was typed, and pages appear when it is back", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const title = page.getByText("The platform's database is unavailable", { exact: true });
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  await open(page, `${platform.webUrl}/account`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Harper Mutual-Quinn");
  const other = await page.context().newPage();
  const thaw = await platform.freeze("postgres");
  try {
    await page.getByRole("button", { name: "Save name" }).click();
    await expect(page.getByText("The database is unavailable", { exact: true })).toBeVisible(SOON);
    await expect(page.getByText(/may still take effect/)).toBeVisible();
    await expect(title).toBeVisible(SOON);
    await expect(name).toHaveValue("Harper Mutual-Quinn");
    await picture(page, "database");
    for (const probe of ["/ready", "/api/health"]) {
      const answer = await page.request.get(platform.webUrl + probe);
      expect(answer.status()).toBe(503);
      expect(await answer.json()).toEqual({ status: "unavailable", unavailable: ["database"] });
    }
    expect((await page.request.get(`${platform.webUrl}/live`)).status()).toBe(200);
    const response = await other.goto(`${platform.webUrl}/installations`);
    expect(response?.status()).toBe(503);
    expect(response?.headers()["retry-after"]).toBe("5");
    await expect(other.getByText("This page can't be loaded right now.")).toBeVisible(SOON);
    await expect(other.getByText(/error on our side/)).toBeHidden();
    await picture(other, "page-without-database");
  } finally {
    thaw();
  }
  await expect(title).toBeHidden(SOON);
  await expect(name).toHaveValue("Harper Mutual-Quinn");
  await expect(other.getByRole("heading", { name: "Installations" })).toBeVisible(SOON);
});

for (const [part, title] of [
  ["gateway", "The platform's gateway is unavailable"],
  ["web", "The platform can't be reached"],
] as const)
  test(`an open page notices that the ${part} hangs, and that it is back`, async ({ page }) => {
    test.setTimeout(240_000);
    await signInAs(page, platform.webUrl, "harbor@demo.example");
    await open(page, `${platform.webUrl}/calls`);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    const thaw = await platform.freeze(part);
    try {
      await expect(page.getByText(title, { exact: true })).toBeVisible(SOON);
      await expect(page.getByText("Live", { exact: true })).toBeHidden(SOON);
      await picture(page, part);
    } finally {
      thaw();
    }
    await expect(page.getByText(title, { exact: true })).toBeHidden(SOON);
    await expect(page.getByText("Live", { exact: true })).toBeVisible(SOON);
  });
