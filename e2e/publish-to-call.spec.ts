/** End to end, once, with nothing faked: list → publish → Test Launch → verify → configure → launch → call → the app reads its state. */
import type { Page } from "@playwright/test";
import {
  answerWizard,
  connectTenant,
  type EchoManifest,
  coreFor,
  createApiKey,
  createListing,
  expectRunning,
  listContainers,
  publishEcho,
  recordBodies,
  signUp,
  verify,
} from "./workflows";
import { expect, open, openTab, test } from "./fixtures";
import { canary, issued } from "./record-traffic";

const stamp = Date.now().toString(36);
const APP = { publisher: `maker-${stamp}`, name: `echo-${stamp}`, title: `Echo ${stamp}` };
const customer = (slug: string, channel: string, value: string, path: string) => ({
  slug: `${slug}-${stamp}`,
  channel,
  value,
  secret: canary(`the secret of ${slug}`),
  path,
});
const NORTH = customer("north", "Broker desk", "broker", "$.vehicle.vin");
const SOUTH = customer("south", "Direct sales", "direct", "$.car.vin");

const core = coreFor(APP.publisher, NORTH.slug, SOUTH.slug);

test("from a listing to two customers on one container", async ({ platform, browser }) => {
  test.setTimeout(400_000);
  const publisher = await signUp(browser, platform, APP.publisher);

  await test.step("the publisher lists the app and publishes its image from the command line", async () => {
    await createListing(publisher, platform, APP);
    const key = await createApiKey(publisher, platform);
    const manifest = ({ core: declared }: EchoManifest) => void (declared.configurationCheck = true);
    expect(await publishEcho(platform, APP, key, { manifest })).toContain("1.1.0");
  });

  await test.step("it is a draft, which the publisher can Test Launch", async () => {
    await connectTenant(publisher, platform, core, APP.publisher);
    await open(publisher, `${platform.webUrl}/publish/${APP.name}`);
    await expect(publisher.getByText("Draft", { exact: true })).toBeVisible();
    await publisher.getByRole("link", { name: "Test Launch" }).first().click();
    const answers = { ...NORTH, secret: canary("the secret of the Test Launch") };
    await answerWizard(publisher, answers, () => checkSettings(publisher));
    await publisher.getByRole("button", { name: "Start Test Launch" }).click();
    await expectRunning(publisher);
    await openTab(publisher, "Calls");
    await publisher.getByRole("button", { name: "Send test call" }).click();
    await expect(publisher.getByRole("region", { name: "Result" })).toContainText('"channel": "broker"', {
      timeout: 30_000,
    });
  });

  const north = await signUp(browser, platform, NORTH.slug);
  const south = await signUp(browser, platform, SOUTH.slug);

  await test.step("another organization gets a 404", async () => {
    for (const address of [
      `/marketplace/${APP.publisher}/${APP.name}`,
      `/launch/${APP.publisher}/${APP.name}`,
      `/launch/${APP.publisher}/${APP.name}?test=1`,
    ]) {
      const answer = await north.goto(platform.webUrl + address);
      expect(answer?.status(), address).toBe(404);
    }
    await open(north, `${platform.webUrl}/marketplace?q=Echo`);
    await expect(north.getByRole("link", { name: APP.title })).toHaveCount(0);
  });

  await test.step("a moderator verifies it", async () => {
    await verify(browser, platform, publisher, APP);
    await open(publisher, `${platform.webUrl}/publish/${APP.name}`);
    await expect(publisher.getByText("Public", { exact: true })).toBeVisible();
  });

  await test.step("two customers configure and launch it, each with its own settings", async () => {
    for (const [page, answers] of [
      [north, NORTH],
      [south, SOUTH],
    ] as const) {
      await connectTenant(page, platform, core, answers.slug);
      await recordBodies(page, platform);
      await open(page, `${platform.webUrl}/marketplace/${APP.publisher}/${APP.name}`);
      await page.getByRole("link", { name: "Launch", exact: true }).first().click();
      await answerWizard(page, answers);
      if (page === north) await reloadAndContinue(page, answers.secret);
      await page.getByRole("button", { name: "Launch", exact: true }).click();
      await expectRunning(page);
      // The secret is sent once and never comes back.
      expect(await page.content()).not.toContain(answers.secret);
    }
    await revealWebhookSecret(north);
    expect(await listContainers(APP)).toHaveLength(1);
  });

  await test.step("each customer's event reaches the app with that customer's state", async () => {
    for (const [page, { slug, value, secret, path }] of [
      [north, NORTH],
      [south, SOUTH],
    ] as const) {
      const answer = await fetch(`${core.url}/tenants/${slug}.core.example/events`, {
        method: "POST",
        body: JSON.stringify({
          id: `${slug}-1`,
          type: "policy.issued",
          data: { policyLocator: `POL-${slug}` },
        }),
      });
      expect(answer.status).toBe(202);
      await openTab(page, "Calls");
      const row = page.getByRole("link", { name: /POST \/events/ }).first();
      await expect(row).toBeVisible({ timeout: 30_000 });
      await row.click();
      await expect(page).toHaveURL(/\/calls\/[0-9a-f-]{36}$/);
      const calls = page.getByRole("main");
      await expect(calls).toContainText(`"tenant": "${slug}.core.example"`);
      await expect(calls).toContainText(`"channel": "${value}"`);
      await expect(calls).toContainText(`"secretLength": ${secret.length}`);
      await expect(calls).toContainText(`"vin": "${path}"`);
      await expect(calls).toContainText(`"policyLocator": "POL-${slug}"`);
    }
    // One container serves both: its memory contains the other tenant's name too.
    await expect(south.getByRole("main")).toContainText(`"${NORTH.slug}.core.example"`);
  });
});

/** The app doesn't run yet: the check starts it, and quotes the secret, which the page never shows. */
async function checkSettings(page: Page): Promise<void> {
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("refuse");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  const secret = page.getByRole("textbox", { name: "Shared secret" });
  await expect(secret).toHaveAttribute("aria-invalid", "true", { timeout: 90_000 });
  const form = page.getByRole("form", { name: "Configure" });
  await expect(form.getByRole("alert")).toContainText("The note says to refuse [secret: secret].");
  await note.fill("");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("The app found no problems.")).toBeVisible({ timeout: 30_000 });
}

/** Shows the secret that signs the installation's webhooks, once. */
async function revealWebhookSecret(page: Page): Promise<void> {
  await openTab(page, "Settings");
  await page.getByRole("button", { name: "Reveal" }).click();
  const secret = await page.getByRole("region", { name: "webhook secret", exact: true }).innerText();
  expect(secret).toMatch(/^whsec_/);
  issued("the webhook secret", secret);
  await page.reload();
  await expect(page.getByRole("button", { name: "Reveal" })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
}

/** A reload keeps the answers except the secret: its step opens again until it is answered. */
async function reloadAndContinue(page: Page, secret: string): Promise<void> {
  await page.reload();
  await expect(page).toHaveURL(/step=configure/);
  const field = page.getByRole("textbox", { name: "Shared secret" });
  await field.pressSequentially(secret);
  await expect(field).toHaveValue(secret);
  for (const next of ["map", "review"]) {
    // The notice about the restored draft has a "Continue" too.
    await page.locator("form").getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL(new RegExp(`step=${next}`));
  }
}
