/** A person's account: sessions that end elsewhere, a changed password, and a second factor. */
import type { Browser, Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expect, open, test } from "./fixtures";
import { givenOrganization } from "./given";
import { canary, issued } from "./record-traffic";
import type { RunningPlatform } from "./start-platform";

const endings = (page: Page) => page.getByRole("button", { name: /^End session of/ });
const atHome = (page: Page) => expect(page).toHaveURL(/\/home$/);
const signedOut = (page: Page) => expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);

/** In a browser that was never here. */
async function signIn(browser: Browser, platform: RunningPlatform, email: string, password: string) {
  const page = await (await browser.newContext()).newPage();
  await open(page, `${platform.webUrl}/sign-in`);
  await enterPassword(page, email, password);
  return page;
}

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("a session that is ended elsewhere is over at its next request, and what was typed is kept", async ({
  platform,
  browser,
}) => {
  const password = canary("the password of sessions");
  const here = await givenOrganization(browser, platform, "sessions", password);
  const there = await signIn(browser, platform, "owner@sessions.example", password);
  await atHome(there);
  await open(there, `${platform.webUrl}/publish/new`);
  await there.getByLabel("Title").fill("Typed before the session ended");
  await there.getByLabel("Product").fill("Must not be lost.");

  await open(here, `${platform.webUrl}/account`);
  await endings(here).click();
  await expect(endings(here)).toHaveCount(0);

  await there.getByRole("button", { name: "Create draft" }).click();
  await expect(there.getByText("Your session has ended. Sign in again.")).toBeVisible();
  const opened = there.context().waitForEvent("page");
  await there.getByRole("link", { name: "Sign in in another tab" }).click();
  const tab = await opened;
  await enterPassword(tab, "owner@sessions.example", password);
  await atHome(tab);
  await expect(there.getByLabel("Product")).toHaveValue("Must not be lost.");
  await there.getByRole("button", { name: "Create draft" }).click();
  await expect(there).toHaveURL(/\/publish\/typed-before-the-session-ended$/);
});

test("a new password ends every other session", async ({ platform, browser }) => {
  const [password, next] = [canary("the first password"), canary("the second password")];
  const email = "owner@passwords.example";
  const here = await givenOrganization(browser, platform, "passwords", password);
  const there = await signIn(browser, platform, email, password);
  await atHome(there);
  await open(here, `${platform.webUrl}/account`);
  await here.getByLabel("Current password", { exact: true }).fill(password);
  await here.getByLabel("New password", { exact: true }).fill(next);
  await here.getByRole("button", { name: "Change password" }).click();
  await expect(here.getByText("Your other sessions were ended.")).toBeVisible();
  await expect(endings(here)).toHaveCount(0);
  await there.goto(`${platform.webUrl}/account`);
  await signedOut(there);
  await enterPassword(there, email, password);
  await expect(there.getByText("Wrong email or password.")).toBeVisible();
  await enterPassword(there, email, next);
  // Signing in leads to the page that was asked for.
  await expect(there).toHaveURL(/\/account$/);
});

test("signing in takes a code of the app, or a recovery code once", async ({ platform, browser }) => {
  const password = canary("the password of two-factor");
  const email = "owner@two-factor.example";
  const page = await givenOrganization(browser, platform, "two-factor", password);
  await open(page, `${platform.webUrl}/account`);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("dialog").getByLabel("Current password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const secret = await page.getByRole("region", { name: "Key", exact: true }).innerText();
  issued("the secret of a second factor", secret);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await page.getByLabel("Code", { exact: true }).fill(totp.generate());
  await page.getByRole("button", { name: "Turn on" }).click();
  const code = await page
    .getByRole("list", { name: "Recovery codes" })
    .getByRole("listitem")
    .first()
    .innerText();
  issued("a recovery code", code);
  await page.getByRole("button", { name: "I saved them" }).click();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();

  // Clocks may be half a minute apart, and each code works once, so the next one works already.
  for (const typed of [totp.generate({ timestamp: Date.now() + 30_000 }), code]) {
    const other = await signIn(browser, platform, email, password);
    await other.getByLabel("Code", { exact: true }).fill(typed);
    await other.getByRole("button", { name: "Verify" }).click();
    await atHome(other);
    await other.context().close();
  }
  const again = await signIn(browser, platform, email, password);
  await again.getByLabel("Code", { exact: true }).fill(code);
  await again.getByRole("button", { name: "Verify" }).click();
  await expect(again.getByText(/was already used/)).toBeVisible();
  await page.reload();
  await expect(page.getByText("9 recovery codes left.")).toBeVisible();
});
