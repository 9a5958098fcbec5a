/** A publisher's terms: accepted at a launch, and asked again when they change, while the app keeps running. */
import type { Page } from "@playwright/test";
import { expect, open, openTab, signInAs, test } from "./fixtures";
import { checkPage } from "./accessibility";
import { givenApiKey, givenListing, givenOrganization, givenTenant, givenVerified } from "./given";
import { approve } from "./moderation";
import { canary } from "./record-traffic";
import { answerWizard, coreFor, expectRunning, publishEcho } from "./workflows";

const stamp = Date.now().toString(36);
const APP = { publisher: `lawyer-${stamp}`, name: `terms-${stamp}`, title: `Terms ${stamp}` };
const CUSTOMER = `reader-${stamp}`;
const FIRST = { url: "https://acme.example/terms/2026-11", version: "2026-11" };
const SECOND = { url: "https://acme.example/terms/2026-12", version: "2026-12" };

const core = coreFor(CUSTOMER);

test("a customer accepts the publisher's terms, and is asked again when they change", async ({
  platform,
  browser,
}) => {
  test.setTimeout(400_000);
  const { webUrl } = platform;
  const publisher = await givenOrganization(browser, platform, APP.publisher);
  const customer = await givenOrganization(browser, platform, CUSTOMER);
  const moderator = await (await browser.newContext()).newPage();
  await signInAs(moderator, webUrl, "moderator@demo.example");

  /** The publisher submits other terms, and the moderator sees and approves them. */
  const changeTerms = async (terms: typeof FIRST) => {
    await enterTerms(publisher, `${webUrl}/publish/${APP.name}/edit`, terms);
    await publisher.getByRole("button", { name: "Review and submit changes" }).click();
    const dialog = publisher.getByRole("dialog", { name: "Submit these changes?" });
    await dialog.getByRole("button", { name: "Submit changes" }).click();
    await expect(publisher.getByText("Your change is in review")).toBeVisible();
    await open(moderator, `${webUrl}/moderation`);
    await moderator.getByRole("link", { name: new RegExp(APP.title) }).click();
    await expect(moderator.getByText("Version of the terms", { exact: true })).toBeVisible();
    await approve(moderator);
  };

  await test.step("the publisher names its terms, and the listing shows them", async () => {
    await givenListing(publisher, platform, APP);
    await enterTerms(publisher, `${webUrl}/publish/${APP.name}/edit`, FIRST);
    await checkPage(publisher, "terms listing editor");
    await publishEcho(platform, APP, await givenApiKey(publisher, platform));
    await givenVerified(browser, platform, publisher, APP);
    await givenTenant(customer, platform, core, CUSTOMER);
    await open(customer, `${webUrl}/marketplace/${APP.publisher}/${APP.name}`);
    await expect(customer.getByRole("link", { name: /^Terms, version 2026-11/ })).toHaveAttribute(
      "href",
      FIRST.url,
    );
  });

  await test.step("nobody launches without accepting them", async () => {
    await customer.getByRole("link", { name: "Launch", exact: true }).first().click();
    await answerWizard(customer, {
      channel: "Broker desk",
      secret: canary("the secret of a customer with terms"),
      path: "$.vehicle.vin",
    });
    const box = customer.getByRole("checkbox", { name: /I accept version 2026-11/ });
    await expect(box).not.toBeChecked();
    await customer.getByRole("button", { name: "Launch", exact: true }).click();
    await expect(box).toBeFocused();
    await expect(
      customer.getByText("Read and accept the publisher's terms to continue.").first(),
    ).toBeVisible();
    await checkPage(customer, "terms launch");
  });

  await test.step("terms that change meanwhile are asked again, and nothing is typed again", async () => {
    await customer.getByRole("checkbox", { name: /I accept version 2026-11/ }).check({ force: true });
    await changeTerms(SECOND);
    await customer.getByRole("button", { name: "Launch", exact: true }).click();
    await expect(customer.getByText("The publisher changed its terms")).toBeVisible();
    const box = customer.getByRole("checkbox", { name: /I accept version 2026-12/ });
    await expect(box).not.toBeChecked();
    await box.check({ force: true });
    await customer.getByRole("button", { name: "Launch", exact: true }).click();
    await expectRunning(customer);
    await openTab(customer, "Settings");
    await expect(customer.getByRole("link", { name: /^Terms, version 2026-12/ })).toBeVisible();
    await expect(customer.getByText(`Accepted by Owner of ${CUSTOMER}`)).toBeVisible();
  });

  await test.step("new terms are a notice, the app runs on, and the audit trail has each acceptance", async () => {
    await changeTerms(FIRST);
    await customer.reload();
    await expect(customer.getByText("The publisher has new terms")).toBeVisible();
    await expect(customer.getByText("Running", { exact: true })).toBeVisible();
    await customer.getByRole("checkbox", { name: /I accept version 2026-11/ }).check({ force: true });
    await customer.getByRole("button", { name: "Accept the terms" }).click();
    await expect(customer.getByText("The publisher has new terms")).toHaveCount(0);
    await checkPage(customer, "terms accepted");
    await open(customer, `${webUrl}/organization/audit?action=terms.accept`);
    await expect(customer.getByText("accepted the publisher's terms for").first()).toBeVisible();
  });
});

/** Types the terms into the listing editor, and waits until they are saved. */
async function enterTerms(page: Page, url: string, terms: { url: string; version: string }): Promise<void> {
  await open(page, url);
  await page.getByRole("textbox", { name: "Terms link" }).fill(terms.url);
  const saved = page.waitForResponse(
    (response) => response.url().endsWith("/text") && response.request().method() === "PUT",
  );
  await page.getByRole("textbox", { name: "Version of the terms" }).fill(terms.version);
  expect((await saved).ok()).toBe(true);
  await expect(page.getByText(/^Saved/)).toBeVisible();
}
