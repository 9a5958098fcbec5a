/** Who may install an app: a link shows it, a member asks and an owner approves, and a pilot runs a version before its review. */
import { expect, open, openTab, test } from "./fixtures";
import { checkPage, saveLooks } from "./accessibility";
import {
  findVersion,
  givenApiKey,
  givenListing,
  givenMember,
  givenOrganization,
  givenTenant,
  givenVerified,
} from "./given";
import { canary } from "./record-traffic";
import { answerWizard, coreFor, expectRunning, publishEcho } from "./workflows";

const stamp = Date.now().toString(36);
const APP = { publisher: `choosy-${stamp}`, name: `choosy-${stamp}`, title: `Choosy ${stamp}` };
const CUSTOMER = `asking-${stamp}`;
const core = coreFor(CUSTOMER);

test("a member asks to launch an app that is shown by link, and a pilot upgrades to a version before its review", async ({
  platform,
  browser,
}) => {
  test.setTimeout(420_000);
  const { webUrl } = platform;
  const publisher = await givenOrganization(browser, platform, APP.publisher);
  await givenListing(publisher, platform, APP);
  const key = await givenApiKey(publisher, platform);
  await publishEcho(platform, APP, key);
  await givenVerified(browser, platform, publisher, APP);
  const owner = await givenOrganization(browser, platform, CUSTOMER);
  await givenTenant(owner, platform, core, CUSTOMER);
  const person = { role: "operator", name: "Odile Mora", email: `odile@${CUSTOMER}.example` } as const;
  const operator = await givenMember(browser, platform, owner, person);
  const appPath = `/marketplace/${APP.publisher}/${APP.name}`;
  const heading = { name: APP.title, level: 1 } as const;

  const link =
    await test.step("the publisher shows the app by link, and its page exists for nobody else", async () => {
      await open(publisher, `${webUrl}/publish/${APP.name}/settings`);
      await publisher.getByRole("radio", { name: /^By link/ }).check({ force: true });
      await publisher.getByRole("button", { name: "Save", exact: true }).first().click();
      const address = publisher.getByRole("region", { name: "Its link" }).getByText(/\?link=/);
      await expect(address).toBeVisible();
      await checkPage(publisher, "who sees an app");
      await saveLooks(publisher, "who sees an app");
      const url = await address.innerText();
      expect((await operator.goto(webUrl + appPath))?.status()).toBe(404);
      expect((await operator.goto(`${webUrl}${appPath}?link=wrong`))?.status()).toBe(404);
      await open(operator, `${webUrl}/marketplace?q=${APP.title.split(" ")[1]}`);
      await expect(operator.getByRole("link", { name: APP.title })).toHaveCount(0);
      await open(operator, url);
      await expect(operator.getByRole("heading", heading)).toBeVisible();
      await expect(operator.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
      await expect(operator.locator("meta[property^='og:']")).toHaveCount(0);
      await checkPage(operator, "app shown by link");
      return url;
    });

  await test.step("the owner lets members ask", async () => {
    await open(owner, `${webUrl}/organization/settings`);
    const saved = owner.waitForResponse((answer) => answer.url().endsWith("/api/organization/launch-rules"));
    await owner.getByText("Members ask before they launch").click();
    expect((await saved).ok()).toBe(true);
    await checkPage(owner, "who may launch apps");
    await saveLooks(owner, "who may launch apps");
  });

  await test.step("the operator asks, and the owner approves", async () => {
    await open(operator, link);
    await operator.getByRole("link", { name: "Ask to launch" }).click();
    await operator.getByRole("textbox", { name: /Why do you need it/ }).fill("For renewals in May.");
    await checkPage(operator, "request to launch");
    await saveLooks(operator, "request to launch");
    await operator.getByRole("button", { name: "Send request" }).click();
    await expect(operator.getByText("You asked to launch it for Production")).toBeVisible();

    await open(owner, `${webUrl}/notifications`);
    await owner.getByRole("link", { name: new RegExp(`Odile Mora asks to launch ${APP.title}`) }).click();
    const row = owner.getByRole("listitem").filter({ hasText: "For renewals in May." });
    await expect(row).toBeVisible();
    await expect(owner).toHaveTitle(/Requests/);
    await checkPage(owner, "requests to launch");
    await saveLooks(owner, "requests to launch");
    await row.getByRole("button", { name: "Approve" }).click();
    const dialog = owner.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Note" }).fill("Use email.");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await expect(owner.getByText("No open requests")).toBeVisible();
  });

  await test.step("the operator launches it once", async () => {
    await open(operator, `${webUrl}/notifications`);
    await operator.getByRole("link", { name: /Your request to launch .* was approved/ }).click();
    await operator.getByRole("link", { name: "Ended" }).click();
    await expect(operator.getByText("Use email.")).toBeVisible();
    await open(operator, link);
    await operator.getByRole("link", { name: "Ask to launch" }).click();
    await expect(operator.getByText("Approved for Production")).toBeVisible();
    await answerWizard(operator, {
      ...{
        channel: "Direct sales",
        secret: canary("the secret of a requested launch"),
        path: "$.vehicle.vin",
      },
    });
    await operator.getByRole("button", { name: "Launch", exact: true }).click();
    await expectRunning(operator);
  });

  await test.step("the publisher names a pilot, which agrees to a version before its review", async () => {
    await publishEcho(platform, APP, key, {
      manifest: (manifest) => (manifest.version = "2.0.0"),
    });
    const { versionId } = await findVersion(platform, APP.name);
    await open(publisher, `${webUrl}/publish/${APP.name}/settings`);
    await publisher.getByRole("textbox", { name: "Pilot organizations" }).fill(CUSTOMER);
    await publisher.getByRole("button", { name: "Save pilots" }).click();
    await expect(publisher.getByRole("button", { name: "Save pilots" })).toBeDisabled();

    await operator.reload();
    await expect(operator.getByText(/^Pilot version .* is available$/)).toBeVisible();
    await operator.getByRole("link", { name: /^See pilot version/ }).click();
    await expect(operator).toHaveURL(new RegExp(`/upgrade\\?to=${versionId}$`));
    await expect(operator.getByText(/^Pilot version .*: not reviewed yet$/)).toBeVisible();
    await checkPage(operator, "upgrade to a pilot version");
    await saveLooks(operator, "upgrade to a pilot version");
    await operator.getByRole("button", { name: /^Upgrade to/ }).click();
    await expect(operator.getByText("Agree to this before you upgrade.")).toBeVisible();
    await operator.getByText("I agree to run a version that is not reviewed yet").click();
    await operator.getByRole("button", { name: /^Upgrade to/ }).click();
    await expectRunning(operator);
    await expect(operator.getByText("Pilot version: not reviewed yet", { exact: true })).toBeVisible({
      timeout: 90_000,
    });
    await checkPage(operator, "installation of a pilot version");
  });

  await test.step("the customer leaves the pilot, and is offered the verified version", async () => {
    await open(owner, webUrl + appPath);
    await owner.getByRole("button", { name: "Leave the pilot" }).click();
    await owner.getByRole("alertdialog").getByRole("button", { name: "Leave the pilot" }).click();
    await expect(owner.getByRole("button", { name: "Leave the pilot" })).toHaveCount(0);
    await openTab(operator, "Overview");
    await operator.reload();
    await expect(operator.getByText("Your organization is no longer a pilot of this app")).toBeVisible();
    await expect(operator.getByRole("link", { name: /^Move to / })).toBeVisible();
    await open(publisher, `${webUrl}/notifications`);
    await expect(
      publisher.getByText(new RegExp(`${CUSTOMER} left the pilot of ${APP.title}`)).first(),
    ).toBeVisible();
  });
});
