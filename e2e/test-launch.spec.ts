/** A publisher without a core tries a version of its app; a secret that the app echoes stays hidden. */
import { expect, open, openTab, signInAs, test } from "./fixtures";
import { checkPage } from "./accessibility";
import { canary } from "./record-traffic";
import { waitForDemo } from "./start-platform";

test.beforeAll(({ platform }) => waitForDemo(platform));

test("a publisher tries a chosen version on a sandbox, and sends a test call", async ({ platform, page }) => {
  test.setTimeout(300_000);
  await signInAs(page, platform.webUrl, "publisher@demo.example");
  await open(page, `${platform.webUrl}/publish/vin-autofill/versions`);
  await page.getByRole("link", { name: "Test Launch 1.0.0" }).click();
  await expect(page).toHaveURL(/test=1&version=/);

  await page.getByRole("button", { name: "Create sandbox" }).click();
  await expect(page.getByRole("radio", { name: /Sandbox/ })).toBeChecked();
  await checkPage(page, "test launch with a sandbox");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: /Region/ }).click();
  await page.getByRole("option", { name: "America" }).click();
  const secret = canary("the provider key of the Test Launch");
  await page.getByRole("textbox", { name: /VIN provider key/ }).fill(secret);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("form", { name: /Sample Auto/ })).toBeVisible();
  await page
    .getByRole("button", { name: /^Use \$.*vin/i })
    .first()
    .click();
  await page.getByRole("button", { name: "Continue" }).click();
  // A home has no VIN: a path outside the schema is confirmed.
  await expect(page.getByRole("form", { name: /Sample Home/ })).toBeVisible();
  await page.getByRole("textbox", { name: /VIN/ }).fill("$.vin");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("button", { name: "Start Test Launch" })).toBeVisible();
  // The browser stores no typed secret.
  const stored = () =>
    page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));
  await expect.poll(stored).toContain("$.vin");
  expect(await stored()).not.toContain("canary");
  await page.getByRole("button", { name: "Start Test Launch" }).click();
  const missing = page.getByRole("alertdialog", { name: "The product has no such field" });
  await expect(missing).toContainText("Sample Home has no field $.vin.");
  await missing.getByRole("button", { name: "Start anyway" }).click();

  await expect(page).toHaveURL(/\/installations\/[0-9a-f-]{36}/);
  await expect(page.getByText("Running", { exact: true })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText("only your organization sees this").first()).toBeVisible();
  await checkPage(page, "test launch running");
  await page.getByRole("link", { name: "Go to console" }).click();
  await page.getByRole("button", { name: "Send test call" }).click();
  await expect(page.getByRole("region", { name: "Result" })).toContainText(/read its state once/, {
    timeout: 30_000,
  });

  await openTab(page, "Settings");
  await page.getByRole("button", { name: "Uninstall" }).click();
  await page.getByRole("alertdialog").getByRole("textbox").fill("acme/vin-autofill");
  await page.getByRole("alertdialog").getByRole("button", { name: "Uninstall" }).click();
  await expect(page.getByText("Uninstalled", { exact: true }).first()).toBeVisible({ timeout: 60_000 });
});
