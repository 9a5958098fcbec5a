/** The command palette, by keyboard alone. */
import { checkPage } from "./accessibility";
import { expect, open, signInAs, test } from "./fixtures";
import { waitForDemo } from "./start-platform";

test.beforeAll(({ platform }) => waitForDemo(platform));

test("somebody finds an installation, a page and the shortcuts without a pointer", async ({
  platform,
  page,
}) => {
  test.setTimeout(180_000);
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  await open(page, `${platform.webUrl}/home`);
  await page.keyboard.press("Control+k");
  const search = page.getByRole("searchbox", { name: /Search pages/ });
  await expect(search).toBeFocused();
  await checkPage(page, "command palette");
  await page.keyboard.type("autofill");
  await expect(page.getByRole("menuitem", { name: /VIN autofill/ }).first()).toBeVisible();
  // The first one found is where Enter leads.
  await expect(page.getByRole("group", { name: "Installations" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/installations\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const id = page.url().split("/").at(-1) ?? "";

  await page.keyboard.press("Control+k");
  await page.keyboard.type(id);
  await expect(page.getByRole("menuitem", { name: /^Installation VIN autofill/ })).toBeVisible();
  // The first one clears the search, as in every search field.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("ten");
  await expect(page.getByRole("menuitem", { name: "Tenants", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await checkPage(page, "keyboard shortcuts");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Search" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
});
