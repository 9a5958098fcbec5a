/**
 * A platform of its own: without a container engine, and with a mail server and an identity provider. What people do with the
 * emails that they get, and with their identity.
 */
import type { Browser, Page } from "@playwright/test";
import { CLIENT, type OidcServer, startOidcServer } from "@/tests/oidc-server";
import { startSmtpServer, type TestSmtpServer } from "@/tests/mail/smtp-server";
import { DEMO_PASSWORD, expect, hydrated, open, openTab, sendDemoAutofill, signInAs, test } from "./fixtures";
import { canary, issued } from "./record-traffic";
import { readOutput, type StartedPlatform, startPlatform } from "./start-platform";

let smtp: TestSmtpServer;
let oidc: OidcServer;
let platform: StartedPlatform;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  smtp = await startSmtpServer({ disabledCommands: ["STARTTLS"] });
  platform = await startPlatform("process", async (webUrl) => {
    oidc = await startOidcServer(`${webUrl}/api/auth/callback/oidc`);
    return {
      PLATFORM_SMTP_URL: `smtp://${smtp.host}`,
      PLATFORM_SMTP_PLAIN: "1",
      PLATFORM_OIDC_ISSUER: oidc.issuer,
      PLATFORM_OIDC_CLIENT_ID: CLIENT.id,
      PLATFORM_OIDC_CLIENT_SECRET: CLIENT.secret,
      PLATFORM_OIDC_NAME: "Tidewater ID",
      PLATFORM_OIDC_DOMAINS: "tidewater.example",
    };
  });
});

test.afterAll(async () => {
  expect(await platform?.stop()).toBe(0);
  await oidc?.end();
  await smtp?.close();
});

const newPage = async (browser: Browser) => (await browser.newContext()).newPage();
const atHome = (page: Page) => expect(page).toHaveURL(/\/home$/);

/** The link of an email, once it arrives. */
async function linkOfMail(to: string, subject: RegExp): Promise<string> {
  const find = () =>
    smtp.received.find((mail) => mail.recipients.includes(to) && subject.test(mail.subject ?? ""));
  await expect.poll(find, { message: `a mail to ${to}` }).toBeDefined();
  const link = /: (http\S+)/.exec(find()?.text ?? "")?.[1] ?? "";
  const token = link.split("#")[1];
  if (token !== undefined) issued(`the token of ${subject}`, token);
  return link;
}

test("the demo works in processes, and every page warns that they are not isolated", async ({ page }) => {
  test.setTimeout(300_000);
  expect(readOutput(platform)).toContain("without isolation");
  await sendDemoAutofill(page, platform.webUrl);
  await openTab(page, "Overview");
  await expect(page.getByText(/not isolated/i).first()).toBeVisible();
});

test("an invitation by email brings a new person into the organization", async ({ browser }) => {
  const email = "noor@north.example";
  const owner = await newPage(browser);
  await signInAs(owner, platform.webUrl, "publisher@demo.example");
  await open(owner, `${platform.webUrl}/organization/members`);
  await owner.getByRole("button", { name: "Invite" }).click();
  await owner.getByRole("dialog").getByLabel("Email").fill(email);
  await owner.getByRole("button", { name: "Create invitation" }).click();
  await expect(owner.getByText(`On its way to ${email}`)).toBeVisible();

  const page = await newPage(browser);
  await open(page, await linkOfMail(email, /invites you to Acme Apps/));
  await expect(page.getByLabel("Email")).toHaveValue(email);
  const password = canary("the password of Noor");
  await page.getByLabel("Your name").fill("Noor Adler");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create account and join" }).click();
  await expect(page.getByText("Check your email")).toBeVisible();
  await open(page, await linkOfMail(email, /^Confirm your email address/));
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await atHome(page);
  await expect(page.getByRole("button", { name: "Organization: Acme Apps. Switch" })).toBeVisible();
});

test("a forgotten password is replaced once with the link of a mail, which ends all sessions", async ({
  browser,
}) => {
  const email = "harbor@demo.example";
  const signedIn = await newPage(browser);
  await signInAs(signedIn, platform.webUrl, email, DEMO_PASSWORD);
  const page = await newPage(browser);
  await open(page, `${platform.webUrl}/sign-in`);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  // The page before has a field of the same name.
  await expect(page.getByRole("heading", { name: "Forgot password?" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText(/If the address has an account/)).toBeVisible();
  const link = await linkOfMail(email, /^Set a new password/);
  await open(page, link);
  const password = canary("the new password of Harbor");
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("Your new password is set")).toBeVisible();

  await signedIn.goto(`${platform.webUrl}/home`);
  await expect(signedIn).toHaveURL(/\/sign-in\?callbackUrl=/);
  const again = await newPage(browser);
  await open(again, link);
  await again.getByLabel("New password", { exact: true }).fill(canary("a second new password"));
  await again.getByRole("button", { name: "Set password" }).click();
  await expect(again.getByText(/This link was already used/)).toBeVisible();
  await open(page, `${platform.webUrl}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await atHome(page);
  await expect.poll(() => smtp.received.map(({ subject }) => subject)).toContain("Your password was changed");
});

test("a newcomer with an identity signs up with what the provider knows, and signs in with it from then on", async ({
  browser,
}) => {
  const email = "ines@tidewater.example";
  oidc.person = { sub: "ines", name: "Ines Tide", email, email_verified: true };
  const page = await newPage(browser);
  await open(page, `${platform.webUrl}/sign-in`);
  await page.getByRole("button", { name: "Continue with Tidewater ID" }).click();
  await expect(page.getByText("No account is linked to your identity yet")).toBeVisible();
  await hydrated(page);
  await expect(page.getByLabel("Your name")).toHaveValue("Ines Tide");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  const password = canary("the password of Ines");
  await page.getByLabel("Company name").fill("Tidewater");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create organization" }).click();
  await open(page, await linkOfMail(email, /^Confirm your email address/));
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await atHome(page);

  const elsewhere = await newPage(browser);
  await open(elsewhere, `${platform.webUrl}/sign-in?callbackUrl=/organization/members`);
  await elsewhere.getByRole("button", { name: "Continue with Tidewater ID" }).click();
  await expect(elsewhere).toHaveURL(/\/organization\/members$/);
  await expect(elsewhere.getByRole("row", { name: /Ines Tide/ })).toBeVisible();
});
