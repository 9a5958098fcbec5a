/** People in an organization: they come by a link, their role changes while they work, and they switch organizations. */
import type { Page } from "@playwright/test";
import { DEMO_PASSWORD, expect, open, signInAs, test } from "./fixtures";
import { givenListing, givenMember, givenOrganization } from "./given";
import { canary } from "./record-traffic";
import { queryDatabase, type RunningPlatform } from "./start-platform";

/** The owner creates a link that works for anyone who has it. */
async function invite(owner: Page, { webUrl }: RunningPlatform, role: string): Promise<string> {
  await open(owner, `${webUrl}/organization/members`);
  await owner.getByRole("button", { name: "Invite" }).click();
  const dialog = owner.getByRole("dialog");
  await dialog.getByRole("button", { name: /Role/ }).click();
  await owner.getByRole("option", { name: new RegExp(`^${role}`) }).click();
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = await dialog.getByRole("region", { name: "Link", exact: true }).innerText();
  await dialog.getByRole("button", { name: "Done" }).click();
  return link;
}

test("a link lets one new person in, and is refused when it was used or has expired", async ({
  platform,
  browser,
}) => {
  const owner = await givenOrganization(browser, platform, "inviting");
  const link = await invite(owner, platform, "Publisher");
  const newcomer = await (await browser.newContext()).newPage();
  await open(newcomer, link);
  await expect(newcomer.getByRole("heading", { name: "Join inviting" })).toBeVisible();
  await newcomer.getByLabel("Your name").fill("Noor Adler");
  await newcomer.getByLabel("Email").fill("noor@inviting.example");
  await newcomer.getByLabel("Password", { exact: true }).fill(canary("the password of an invited person"));
  await newcomer.getByRole("button", { name: "Create account and join" }).click();
  await expect(newcomer).toHaveURL(/\/home$/);
  await expect(newcomer.getByRole("button", { name: "Organization: inviting. Switch" })).toBeVisible();

  const late = await (await browser.newContext()).newPage();
  const used = await late.goto(link);
  expect(used?.status()).toBe(404);
  await expect(late.getByText("This invitation is no longer valid")).toBeVisible();

  const other = await invite(owner, platform, "Operator");
  await expect(owner.getByRole("row", { name: /Noor Adler/ })).toContainText("Publisher");
  await queryDatabase(
    platform,
    "update invitations set expires_at = now() where accepted_at is null and organization_id = (select id from organizations where slug = 'inviting')",
  );
  expect((await late.goto(other))?.status()).toBe(404);
  await expect(late.getByText(/is more than 7 days old.*ask for a new one/)).toBeVisible();
  await owner.reload();
  await expect(owner.getByText("Expired", { exact: true })).toBeVisible();
});

test("a role that changes applies to the other's next request, and an organization keeps its last owner", async ({
  platform,
  browser,
}) => {
  const { webUrl } = platform;
  const owner = await givenOrganization(browser, platform, "roles");
  const maya = { role: "owner", name: "Maya Moss", email: "maya@roles.example" } as const;
  const other = await givenMember(browser, platform, owner, maya);
  await open(other, `${webUrl}/organization/members`);
  await other.getByRole("button", { name: "Invite" }).click();

  await open(owner, `${webUrl}/organization/members`);
  await owner.getByRole("button", { name: /Role of Maya Moss/ }).click();
  await owner.getByRole("option", { name: /^Operator/ }).click();
  // The last owner has no role to choose, and nobody to leave the organization to.
  await expect(owner.getByRole("row", { name: /Owner of roles/ })).toContainText("Last owner");
  await owner.getByRole("button", { name: "Leave" }).click();
  await expect(owner.getByRole("dialog", { name: "You are the last owner" })).toBeVisible();
  await owner.keyboard.press("Escape");

  // The page of the other one is still open, with what an owner may do.
  await other.getByRole("button", { name: "Create invitation" }).click();
  await expect(other.getByText(/Your role does not allow this/)).toBeVisible();
  await other.reload();
  await expect(other.getByRole("button", { name: "Invite" })).toHaveCount(0);
  await open(other, `${webUrl}/home`);
  expect((await other.goto(`${webUrl}/organization/api-keys`))?.status()).toBe(404);

  // Nor does it help to ask without the page.
  const [{ id = "" } = {}] = await queryDatabase(
    platform,
    "select id from users where email = 'owner@roles.example'",
  );
  const session = owner.context().request;
  const headers = { origin: webUrl };
  const demoted = await session.put(`${webUrl}/api/organization/members/${id}/role`, {
    headers,
    data: { role: "operator" },
  });
  expect([demoted.status(), (await demoted.json()).code]).toEqual([409, "WRONG_STATE"]);
  const left = await session.post(`${webUrl}/api/organization/leave`, { headers, data: {} });
  expect([left.status(), (await left.json()).code]).toEqual([409, "WRONG_STATE"]);
});

test("an invitation that is opened with the wrong account leads to another one, and back", async ({
  platform,
  browser,
}) => {
  const { webUrl } = platform;
  const owner = await givenOrganization(browser, platform, "wrong-account");
  const created = await owner.context().request.post(`${webUrl}/api/organization/invitations`, {
    headers: { origin: webUrl },
    data: { role: "operator", email: "noor@elsewhere.example" },
  });
  const links = [await invite(owner, platform, "Operator"), String((await created.json()).url)];
  for (const link of links) {
    const guest = await (await browser.newContext()).newPage();
    await signInAs(guest, webUrl, "harbor@demo.example");
    await open(guest, link);
    await guest.getByRole("link", { name: "Use another account" }).click();
    await guest.getByRole("main").getByRole("button", { name: "Sign out" }).click();
    await expect(guest.getByRole("heading", { name: "Join wrong-account" })).toBeVisible();
    await guest.getByRole("link", { name: "Sign in" }).click();
    // The invitation has fields of these names, too.
    await expect(guest.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await guest.getByLabel("Email").fill("alpine@demo.example");
    await guest.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
    await guest.getByRole("button", { name: "Sign in" }).click();
    await expect(guest).toHaveURL(link);
    await expect(guest.getByText("You are signed in as alpine@demo.example.")).toBeVisible();
    await guest.context().close();
  }
});

test("somebody who joins a second organization switches between both, and follows links into either", async ({
  platform,
  browser,
}) => {
  const { webUrl } = platform;
  const owner = await givenOrganization(browser, platform, "second-home");
  const guest = await givenOrganization(browser, platform, "first-home");
  await givenListing(guest, platform, { publisher: "first-home", name: "homely", title: "Homely" });
  await open(guest, await invite(owner, platform, "Publisher"));
  await guest.getByRole("button", { name: "Join second-home" }).click();
  await expect(guest.getByRole("button", { name: "Organization: second-home. Switch" })).toBeVisible();

  // A link into the other organization offers to switch, and leads on.
  await open(guest, `${webUrl}/publish/homely`);
  await expect(guest).toHaveURL(/\/organization\/switch\?to=/);
  await guest.getByRole("button", { name: "Switch to first-home" }).click();
  await expect(guest).toHaveURL(`${webUrl}/publish/homely`);
  await expect(guest.getByRole("heading", { name: "Homely" })).toBeVisible();

  // A page that was open meanwhile can't change the organization that it does not show.
  const stale = await guest.context().newPage();
  await open(stale, `${webUrl}/organization/settings`);
  await guest.getByRole("button", { name: "Organization: first-home. Switch" }).click();
  await guest.getByRole("menuitem", { name: /second-home/ }).click();
  await expect(guest).toHaveURL(/\/home$/);
  await expect(guest.getByRole("button", { name: "Organization: second-home. Switch" })).toBeVisible();
  await stale.getByText("Record payloads and responses").click();
  await expect(stale.getByText(/You are now working in second-home/)).toBeVisible();
  expect((await owner.goto(`${webUrl}/publish/homely`))?.status()).toBe(404);
});
