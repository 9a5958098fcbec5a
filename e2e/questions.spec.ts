/** What each role asks first, in at most two clicks after the sign-in. */
import type { Locator, Page } from "@playwright/test";
import { expect, hydrated, open, signInAs, test } from "./fixtures";
import { waitForDemo } from "./start-platform";

test.beforeAll(({ platform }) => waitForDemo(platform));

const MOST_CLICKS = 2;

/** Follows links from the home page, and counts them. */
async function follow(page: Page, links: readonly ((page: Page) => Locator)[]): Promise<void> {
  expect(links.length).toBeLessThanOrEqual(MOST_CLICKS);
  await expect(page).toHaveURL(/\/home$/);
  for (const link of links) {
    const from = page.url();
    await link(page).first().click();
    await expect(page).not.toHaveURL(from);
    await hydrated(page);
  }
}

test("a customer learns why an app failed", async ({ platform, page }) => {
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  await open(page, `${platform.webUrl}/home`);
  const row = page.getByRole("row").filter({ hasText: "Claims intake" });
  await expect(row).toContainText("Error", { timeout: 90_000 });
  await follow(page, [() => row.getByRole("link", { name: "Claims intake" })]);
  const cause = page.getByRole("alert").filter({ hasText: "Launch failed" });
  await expect(cause).toContainText("Next step:");
  await expect(cause).toContainText(/exited with code \d+/);
});

test("a publisher learns who is affected by a release", async ({ platform, page }) => {
  await signInAs(page, platform.webUrl, "publisher@demo.example");
  await open(page, `${platform.webUrl}/home`);
  await follow(page, [() => page.getByRole("row").getByRole("link", { name: "VIN autofill", exact: true })]);
  const versions = page.getByRole("table", { name: "Versions in use" });
  await expect(versions.getByRole("link", { name: /^\d+ installations? of version/ }).first()).toBeVisible();
  const health = page.getByRole("heading", { name: "Instances" });
  await expect(health).toBeVisible();
});

test("a moderator learns what to decide first", async ({ platform, page }) => {
  await signInAs(page, platform.webUrl, "moderator@demo.example");
  await open(page, `${platform.webUrl}/home`);
  // Its rows are in the order in which they are due.
  const reviews = page.getByRole("table", { name: "Reviews" });
  await follow(page, [() => reviews.locator("tbody").getByRole("link")]);
  await expect(page).toHaveURL(/\/moderation\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("button", { name: "Approve" })).toBeInViewport();
});
