/** Somebody without a core tries an app, and then uses it for real with the same settings. */
import { expect, open, openTab, signInAs, test } from "./fixtures";
import { checkPage } from "./accessibility";
import { canary } from "./record-traffic";
import { queryDatabase, waitForDemo } from "./start-platform";
import { signUp } from "./workflows";

test.beforeAll(({ platform }) => waitForDemo(platform));

test("an app is tried without a core, and used for real", async ({ platform, page }) => {
  test.setTimeout(300_000);
  await signInAs(page, platform.webUrl, "alpine@demo.example");
  await open(page, `${platform.webUrl}/marketplace/acme/renewal-reminders`);
  await page.getByRole("link", { name: "Try it" }).click();
  await expect(page.getByRole("heading", { name: "Try Renewal reminders" })).toBeVisible();
  await checkPage(page, "trial form");
  await page.getByRole("textbox", { name: /Sender/ }).fill("Alpine Insurance");
  await page.getByRole("button", { name: /Remind/ }).click();
  await page.getByRole("option", { name: "14 days before" }).click();
  const secret = canary("the mail key of the trial");
  await page.getByRole("textbox", { name: /Mail provider key/ }).fill(secret);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Made-up insurer (trial.sandbox)")).toBeVisible();
  await page.getByRole("button", { name: "Start trial" }).click();

  await expect(page).toHaveURL(/\/installations\/[0-9a-f-]{36}/);
  await expect(page.getByText("Running", { exact: true })).toBeVisible({ timeout: 90_000 });
  const trial = page.getByRole("region", { name: "Trial" });
  await expect(trial).toContainText("It ends automatically");
  await page
    .getByRole("button", { name: /^Send a sample call/ })
    .first()
    .click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result).toContainText(/read its state once/, { timeout: 30_000 });
  await checkPage(page, "trial running");
  await result.getByRole("link", { name: "Open this call" }).click();
  await expect(page.getByRole("heading", { name: "Timeline" })).toBeVisible();
  await page.goBack();

  await trial.getByRole("link", { name: "Use it for real" }).click();
  await expect(page.getByText("The settings of your trial are filled in")).toBeVisible();
  await checkPage(page, "launch with the settings of a trial");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("textbox", { name: /Sender/ })).toHaveValue("Alpine Insurance");
  await expect(page.getByRole("radio", { name: "Keep" })).toBeChecked();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Kept from your trial, and hidden")).toBeVisible();
  await page.getByRole("button", { name: "Launch", exact: true }).click();
  await expect(page).toHaveURL(/\/installations\/[0-9a-f-]{36}/);
  await expect(page.getByText("Running", { exact: true })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByRole("region", { name: "Trial" })).toHaveCount(0);
  await openTab(page, "Configuration");
  await expect(page.getByText("Alpine Insurance").first()).toBeVisible();

  await openTab(page, "Settings");
  await page.getByRole("button", { name: "Uninstall" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill("acme/renewal-reminders");
  await page.getByRole("alertdialog").getByRole("button", { name: "Uninstall" }).click();
  await expect(page.getByText("Uninstalled", { exact: true }).first()).toBeVisible({ timeout: 60_000 });

  // A trial can be ended at once.
  await open(page, `${platform.webUrl}/installations`);
  await page.getByRole("link", { name: "Renewal reminders" }).first().click();
  await page.getByRole("button", { name: "End trial" }).click();
  await expect(page.getByRole("region", { name: "Trial" })).toContainText("it has ended", {
    timeout: 60_000,
  });
});

test("somebody without an organization creates one on the way to a trial", async ({ platform, browser }) => {
  const slug = `alone-${Date.now().toString(36)}`;
  const page = await signUp(browser, platform, slug);
  const person = `(select id from users where email = 'owner@${slug}.example')`;
  await queryDatabase(platform, `delete from memberships where user_id = ${person}`);
  await open(page, `${platform.webUrl}/marketplace/acme/renewal-reminders`);
  await page.getByRole("link", { name: "Try it" }).click();
  await expect(page.getByText("A trial runs in an organization")).toBeVisible();
  await expect(page.getByLabel("Company name")).toHaveValue(`Owner of ${slug}'s organization`);
  await checkPage(page, "organization for a trial");
  await page.getByRole("button", { name: "Create and try the app" }).click();
  await expect(page).toHaveURL(/\/launch\/acme\/renewal-reminders\?trial=1/);
  await expect(page.getByRole("heading", { name: "Try Renewal reminders" })).toBeVisible();
});
