/** The documentation as readers use it: with and without JavaScript. */
import { checkPage } from "./accessibility";
import { expect, open, test } from "./fixtures";

test("a reader searches, follows the result, and copies code and a link", async ({
  page,
  context,
  platform,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, `${platform.webUrl}/docs`);
  await page.getByRole("link", { name: "Get started" }).last().click();
  await expect(page).toHaveURL(/\/docs\/start$/);
  await expect(
    page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Get started" }),
  ).toHaveAttribute("aria-current", "page");

  await page.keyboard.press("/");
  const search = page.getByRole("combobox", { name: "Search the docs" });
  await search.fill("app_timed_out");
  await expect(page.getByRole("option").first()).toContainText("APP_TIMED_OUT");
  await checkPage(page, "the search dialog");
  await search.press("Enter");
  await expect(page).toHaveURL(/\/docs\/errors\/calls#APP_TIMED_OUT$/);
  await expect(page.getByRole("dialog")).toBeHidden();

  await open(page, `${platform.webUrl}/docs/state-api`);
  const copy = page.getByRole("button", { name: /^Copy code/ }).first();
  await copy.click();
  const code = await page.locator("main pre").first().innerText();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  expect((await copied()).trim()).toBe(code.trim());

  const heading = page.locator("main h2").first();
  await heading.hover();
  await heading.getByRole("link", { name: /^Link to/ }).click();
  await expect.poll(copied).toBe(`${platform.webUrl}/docs/state-api#${await heading.getAttribute("id")}`);
});

// Guarantee: a link to an error that was written down years ago still leads to its entry.
test("links to entries of pages that have parts now lead to the part", async ({ page, platform }) => {
  for (const [from, to] of [
    ["/docs/errors#PORT_NOT_BOUND", "/docs/errors/starting-an-app#PORT_NOT_BOUND"],
    ["/docs/errors/PORT_NOT_BOUND", "/docs/errors/starting-an-app#PORT_NOT_BOUND"],
    ["/docs/api#sendAnEvent", "/docs/api/core#sendAnEvent"],
  ] as const) {
    await page.goto(platform.webUrl + from);
    await expect(page).toHaveURL(platform.webUrl + to);
    await expect(page.locator(`[id="${to.split("#")[1]}"]`)).toBeInViewport();
  }
});

test("the documentation can be read and searched without JavaScript", async ({ browser, platform }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${platform.webUrl}/docs`);
  await page.getByRole("link", { name: "Search" }).first().click();
  await page.getByRole("searchbox", { name: "Search the documentation" }).fill("signatrue");
  await page.keyboard.press("Enter");
  await expect(page.getByText("for “signatrue”")).toBeVisible();
  await page.locator("main li a").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.goto(`${platform.webUrl}/docs/manifest#app.fields.name`);
  await expect(page.locator('[id="app.fields.name"]')).toContainText("DUPLICATE_NAME");
  // A link from before the page had parts.
  await page.goto(`${platform.webUrl}/docs/api#sendAnEvent`);
  await page.locator("#sendAnEvent").getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Send an event" })).toBeVisible();
  await page.goto(`${platform.webUrl}/docs/errors/APP_FAILED`);
  await expect(page).toHaveURL(/\/docs\/errors\/calls#APP_FAILED$/);
  await context.close();
});
