/** A listing from its first draft to its end, as its publisher, moderators, customers and visitors see it. */
import sharp from "sharp";
import { expect, open, signInAs, test } from "./fixtures";
import { collectConsoleErrors, saveLooks } from "./accessibility";
import { findVersion, givenApiKey, givenInstallation, givenOrganization, givenTenant } from "./given";
import { openEditor, selectEntry } from "./editor";
import { approve, followNotification, submitVersion } from "./moderation";
import { canary } from "./record-traffic";
import { coreFor, createListing, expectRunning, publishEcho } from "./workflows";

const stamp = Date.now().toString(36);
const APP = { publisher: `life-${stamp}`, name: `desk-${stamp}`, title: `Claims desk ${stamp}` };
const CUSTOMER = `tenant-${stamp}`;
const PUBLIC_PAGE = `/marketplace/${APP.publisher}/${APP.name}`;

const core = coreFor(APP.publisher, CUSTOMER);

test("the whole life of a listing", async ({ platform, browser }) => {
  test.setTimeout(420_000);
  const { webUrl } = platform;
  const publisher = await givenOrganization(browser, platform, APP.publisher);
  const moderator = await (await browser.newContext()).newPage();
  await signInAs(moderator, webUrl, "moderator@demo.example");
  const errors = [publisher, moderator].map(collectConsoleErrors);
  const visitor = await (await browser.newContext()).newPage();
  const key = await givenApiKey(publisher, platform);

  await test.step("a draft gets its text and icon; nobody else sees it", async () => {
    await createListing(publisher, platform, APP);
    await open(publisher, `${webUrl}/publish/${APP.name}/edit`);
    await publisher.getByRole("textbox", { name: "Tagline" }).fill("Answers claims from the policy");
    await publisher.getByRole("textbox", { name: "Offering" }).fill("**Free** for up to 100 claims a month.");
    const icon = publisher.getByRole("region", { name: "Icon" }).locator("input[type=file]");
    await icon.setInputFiles({ name: "icon.png", mimeType: "image/png", buffer: await drawIcon() });
    const preview = publisher.getByRole("region", { name: "Preview" });
    await expect(preview.getByText("Answers claims from the policy")).toBeVisible();
    await expect(preview.locator("img")).toBeVisible();
    await expect(publisher.getByText(/^Saved/)).toBeVisible();
    await saveLooks(publisher, "life listing editor");
    expect((await visitor.goto(webUrl + PUBLIC_PAGE))?.status()).toBe(404);
  });

  let reviewId = "";
  await test.step("a version that says too much is submitted with a note, and the checks tell", async () => {
    await publishEcho(platform, APP, key, { program: endOnRequest });
    reviewId = await submitVersion(publisher, platform, APP, {
      number: "1.1.0",
      note: "Try it with *any* secret.",
      releaseNotes: "The first release.",
    });
    await expect(publisher.getByText(/^Number \d+ in the queue$/)).toBeVisible();
    await followNotification(moderator, platform, new RegExp(`submitted version 1.1.0 of ${APP.title}`));
    await expect(moderator).toHaveURL(`${webUrl}/moderation/${reviewId}`);
    await moderator.getByRole("button", { name: "Claim", exact: true }).click();
    await expect(moderator.getByText("Claimed by you")).toBeVisible();
    await expect(moderator.getByText("Try it with any secret.")).toBeVisible();
    await expect(moderator.getByText("The first release.")).toBeVisible();
    const checks = moderator.getByRole("list", { name: "Checks" });
    await expect(checks.getByRole("listitem").filter({ hasText: "Leaks no secrets" })).toContainText(
      "Failed",
      {
        timeout: 90_000,
      },
    );
    await expect(
      checks.getByRole("listitem").filter({ hasText: "Keeps customers' data separate" }),
    ).toBeVisible();
    await saveLooks(moderator, "life review with failed checks");
  });

  await test.step("the moderator comments on a line and requests changes; the publisher learns of both", async () => {
    const place = "Comment on line 24";
    await moderator.getByRole("button", { name: place }).click();
    const comment = moderator.getByRole("textbox", { name: place });
    await comment.fill("Why do you need this secret?");
    await comment.locator("xpath=ancestor::form").getByRole("button", { name: "Comment" }).click();
    await expect(moderator.getByRole("article").getByText("Why do you need").first()).toBeVisible();
    await moderator.getByRole("textbox", { name: "Note to the publisher" }).fill("Stop logging the secret.");
    await moderator.getByRole("button", { name: "Request changes" }).click();
    await expect(moderator.getByText(/^Decided by /)).toBeVisible();
    await saveLooks(moderator, "life review decided");

    await followNotification(publisher, platform, /failed its automatic checks$/);
    await expect(publisher).toHaveURL(`${webUrl}/publish/${APP.name}/reviews/${reviewId}#evidence`);
    await followNotification(publisher, platform, /^Changes requested/);
    await expect(publisher.getByText("Stop logging the secret.")).toBeVisible();
    const lines = publisher.getByRole("list", { name: "Lines of the manifest" });
    await expect(lines.getByText("Why do you need this secret?")).toBeVisible();
    await lines.getByRole("button", { name: "Reply" }).click();
    const reply = publisher.getByRole("textbox", { name: "Reply" });
    await reply.fill("It signs what we send. We no longer log it.");
    await reply.locator("xpath=ancestor::form").getByRole("button", { name: "Reply" }).click();
    await expect(lines.getByText("It signs what we send.")).toBeVisible();
    await saveLooks(publisher, "life publisher review");
  });

  await test.step("the fixed version is approved, and public for everybody", async () => {
    await publishEcho(platform, APP, key, { program: discreet });
    reviewId = await submitVersion(publisher, platform, APP, {
      number: "1.2.0",
      releaseNotes: "Logs **nothing** anymore.",
    });
    await open(moderator, `${webUrl}/moderation/${reviewId}`);
    const checks = moderator.getByRole("list", { name: "Checks" });
    await expect(checks.getByRole("listitem").filter({ hasText: "Leaks no secrets" })).toContainText(
      "Passed",
      {
        timeout: 90_000,
      },
    );
    await approve(moderator);
    await open(visitor, `${webUrl}/marketplace?q=${encodeURIComponent(APP.title)}`);
    await visitor.getByRole("link", { name: APP.title }).click();
    await expect(visitor).toHaveURL(webUrl + PUBLIC_PAGE);
    await expect(visitor.getByRole("heading", { level: 1, name: APP.title })).toBeVisible();
    await expect(visitor.getByText("Free for up to 100 claims a month.")).toBeVisible();
    await expect(visitor.getByText("Logs nothing anymore.")).toBeVisible();
    const icon = visitor.getByRole("article").locator("header img");
    expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    // What a moderator refused was never public.
    await expect(visitor.getByText("1.1.0")).toHaveCount(0);
    await saveLooks(visitor, "life public page");
  });

  const customer = await givenOrganization(browser, platform, CUSTOMER);
  let installationId = "";
  await test.step("a customer launches it", async () => {
    const { tenantId } = await givenTenant(customer, platform, core, CUSTOMER);
    const { versionId } = await findVersion(platform, APP.name);
    installationId = await givenInstallation(customer, platform, {
      ...{ versionId, tenantId },
      settings: { channel: "broker", secret: canary("the secret of a suspended app") },
      mapping: { vin: "$.vehicle.vin" },
    });
    await expectRunning(customer);
  });

  await test.step("a customer reports a problem with it, and a moderator handles the report", async () => {
    await open(customer, `${webUrl}/marketplace?q=${encodeURIComponent(APP.title)}`);
    await expect(customer.getByText("Installed", { exact: true })).toBeVisible();
    await customer.getByRole("link", { name: APP.title }).click();
    await customer.getByRole("link", { name: "Report a problem with this listing" }).click();
    await customer
      .getByRole("textbox", { name: "What is wrong?" })
      .fill("It answers claims that it never read.");
    await customer.getByRole("button", { name: "Send report" }).click();
    await expect(customer.getByText("The moderators have your report")).toBeVisible();
    await saveLooks(customer, "life report");
    await followNotification(moderator, platform, new RegExp(`^A problem with ${APP.title} was reported$`));
    await expect(moderator).toHaveURL(`${webUrl}/moderation/reports`);
    await expect(moderator.getByText("It answers claims that it never read.")).toBeVisible();
    await saveLooks(moderator, "life reports");
    await moderator.getByRole("button", { name: `Mark the report about ${APP.title} as handled` }).click();
    await expect(moderator.getByText("It answers claims that it never read.")).toHaveCount(0);
  });

  await test.step("a change to the text is public once a moderator has read it", async () => {
    await open(publisher, `${webUrl}/publish/${APP.name}/edit`);
    await publisher.getByRole("textbox", { name: "Tagline" }).fill("Answers claims in seconds");
    await publisher.getByRole("button", { name: "Review and submit changes" }).click();
    const dialog = publisher.getByRole("dialog", { name: "Submit these changes?" });
    await expect(dialog.getByText("Answers claims in seconds")).toBeVisible();
    await saveLooks(publisher, "life text submission");
    await dialog.getByRole("button", { name: "Submit changes" }).click();
    await expect(publisher.getByText("Your change is in review")).toBeVisible();
    await open(visitor, webUrl + PUBLIC_PAGE);
    await expect(visitor.getByText("Answers claims from the policy")).toBeVisible();

    await followNotification(moderator, platform, new RegExp(`change to the text of ${APP.title}`));
    await expect(moderator.getByText("Automatic checks")).toHaveCount(0);
    await saveLooks(moderator, "life text review");
    await approve(moderator);
    await open(visitor, webUrl + PUBLIC_PAGE);
    await expect(visitor.getByText("Answers claims in seconds")).toBeVisible();
  });

  await test.step("until a new version is approved, visitors and customers see the last one", async () => {
    await openEditor(publisher, platform, APP.name);
    await selectEntry(publisher, "Channel");
    await publisher.getByRole("textbox", { name: "Title", exact: true }).fill("Sales channel");
    await publisher.getByRole("button", { name: "Release", exact: true }).click();
    await publisher.getByRole("dialog").getByRole("button", { name: "Release 1.3.0" }).click();
    await expect(publisher.getByText("Released as version 1.3.0").first()).toBeVisible();
    reviewId = await submitVersion(publisher, platform, APP, {
      number: "1.3.0",
      releaseNotes: "Plainer words.",
    });
    await open(visitor, webUrl + PUBLIC_PAGE);
    await expect(visitor.getByText("Plainer words.")).toHaveCount(0);
    await open(customer, `${webUrl}/installations/${installationId}`);
    await expect(customer.getByText("Version 1.3.0 is available")).toHaveCount(0);
    await open(moderator, `${webUrl}/moderation/${reviewId}`);
    await expect(moderator.getByText("Sales channel", { exact: true }).first()).toBeVisible();
    await saveLooks(moderator, "life review of a new version");
    await approve(moderator);
    await open(visitor, webUrl + PUBLIC_PAGE);
    await expect(visitor.getByText("Plainer words.")).toBeVisible();
    await open(customer, `${webUrl}/installations/${installationId}`);
    await expect(customer.getByText("Version 1.3.0 is available")).toBeVisible();
  });

  await test.step("a suspension is told to the customer and hides the app; reinstating brings it back", async () => {
    await open(moderator, webUrl + PUBLIC_PAGE);
    await moderator.getByRole("link", { name: "Moderate" }).click();
    await moderator.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = moderator.getByRole("dialog", { name: `Suspend ${APP.title}?` });
    await dialog.getByRole("textbox", { name: "Reason" }).fill("It answers for other tenants.");
    await dialog.getByRole("textbox", { name: /^Type / }).fill(`${APP.publisher}/${APP.name}`);
    await saveLooks(moderator, "life suspension");
    await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
    await expect(moderator.getByText("Suspended", { exact: true }).first()).toBeVisible();
    await expect(moderator.getByText("It answers for other tenants.")).toBeVisible();
    await saveLooks(moderator, "life suspended");

    expect((await visitor.goto(webUrl + PUBLIC_PAGE))?.status()).toBe(404);
    await followNotification(customer, platform, new RegExp(`^${APP.title} was suspended$`));
    await customer.getByRole("link", { name: APP.title }).click();
    await expectRunning(customer);
    await expect(customer.getByText("It answers for other tenants.")).toBeVisible();
    await followNotification(publisher, platform, new RegExp(`^${APP.title} was suspended$`));
    await expect(publisher.getByText("It answers for other tenants.")).toBeVisible();

    await moderator.getByRole("button", { name: "Reinstate" }).click();
    await moderator.getByRole("alertdialog").getByRole("button", { name: "Reinstate" }).click();
    await expect(moderator.getByText(/^Reinstated by/)).toBeVisible();
    expect((await visitor.goto(webUrl + PUBLIC_PAGE))?.status()).toBe(200);
  });

  await test.step("retired, nobody new can launch it, and the installation runs on", async () => {
    await open(publisher, `${webUrl}/publish/${APP.name}/settings`);
    await publisher.getByRole("button", { name: "Retire listing" }).click();
    const dialog = publisher.getByRole("alertdialog");
    await dialog.getByRole("textbox").fill(APP.name);
    await dialog.getByRole("button", { name: "Retire permanently" }).click();
    await expect(publisher.getByText("Retired", { exact: true }).first()).toBeVisible();
    expect((await visitor.goto(webUrl + PUBLIC_PAGE))?.status()).toBe(404);
    expect((await customer.goto(`${webUrl}/launch/${APP.publisher}/${APP.name}`))?.status()).toBe(404);
    await followNotification(customer, platform, new RegExp(`^${APP.title} was retired$`));
    await customer.getByRole("link", { name: APP.title }).click();
    await expectRunning(customer);
    await expect(customer.getByText("The publisher retired this app")).toBeVisible();
    await saveLooks(customer, "life installation of a retired app");
  });
  expect(errors.flat().filter((error) => error.includes("Content Security Policy"))).toEqual([]);
});

/** Ends when it is told to, as the checks ask. */
function endOnRequest(source: string): string {
  return `${source}\nprocess.on("SIGTERM", () => process.exit(0));\n`;
}

/** Neither logs its secret nor answers with it, and says nothing of other customers. */
function discreet(source: string): string {
  return endOnRequest(source)
    .replace(/console\.log\(.*\);/, "")
    .replace(/settings: state\.settings,/, "")
    .replace(/encoded: .*,/, "")
    .replace(/served: .*,/, "");
}

function drawIcon(): Promise<Buffer> {
  const shape =
    '<rect width="512" height="512" rx="96" fill="#0f766e"/><path d="M128 160h256v64H128zm0 112h176v64H128z" fill="#fff"/>';
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512">${shape}</svg>`))
    .png()
    .toBuffer();
}
