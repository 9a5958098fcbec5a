/**
 * What specs start from, made by the requests that the pages send: faster than the pages, whose steps are in workflows.ts and
 * are tested by publish-to-call.spec.ts.
 */
import type { Browser, Page } from "@playwright/test";
import { v7 } from "uuid";
import { expect, open, signInAs } from "./fixtures";
import { canary, issued, recordSession } from "./record-traffic";
import { queryDatabase, type RunningPlatform } from "./start-platform";
import type { ApiKey, EchoApp, TestCore } from "./workflows";

/** A new organization. The page's session is its owner's, whose address is `owner@<slug>.example`. */
export async function givenOrganization(
  browser: Browser,
  { webUrl }: RunningPlatform,
  slug: string,
  password = canary(`the password of ${slug}`),
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const email = `owner@${slug}.example`;
  const owner = { name: `Owner of ${slug}`, email, password };
  await send(page, webUrl, "/api/sign-up", { ...owner, organizationName: slug, organizationSlug: slug });
  await signInAs(page, webUrl, email, password);
  return page;
}

/** A new person in the owner's organization. The page's session is theirs. */
export async function givenMember(
  browser: Browser,
  { webUrl }: RunningPlatform,
  owner: Page,
  { role, name, email }: { role: "owner" | "publisher" | "operator"; name: string; email: string },
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const password = canary(`the password of ${email}`);
  const { url = "" } = await send(owner, webUrl, "/api/organization/invitations", { role, email });
  await send(page, webUrl, `/api${new URL(url).pathname}/sign-up`, { name, email, password });
  await signInAs(page, webUrl, email, password);
  return page;
}

export async function givenListing(page: Page, { webUrl }: RunningPlatform, app: EchoApp): Promise<void> {
  await send(page, webUrl, "/api/listings", {
    appName: app.name,
    title: app.title,
    about: { product: "An app of a test.", company: "", offering: "" },
    requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  });
}

export async function givenApiKey(page: Page, { webUrl }: RunningPlatform): Promise<ApiKey> {
  const scopes = ["publish", "manifest:read", "manifest:write"];
  const key = { name: "Browser test", scopes, days: 0 };
  const created = await send(page, webUrl, "/api/organization/api-keys", key);
  const { clientId = "", apiKey = "" } = created;
  issued(`the API key ${clientId}`, apiKey);
  return { clientId, apiKey };
}

/** A moderator besides the demo's, with its password. No page makes moderators. */
export async function givenModerator(
  browser: Browser,
  platform: RunningPlatform,
  name: string,
): Promise<Page> {
  const email = `${v7()}@demo.example`;
  await queryDatabase(
    platform,
    `insert into users (id, email, name, password_hash, moderator)
     select $1, $2, $3, password_hash, true from users where email = 'moderator@demo.example'`,
    [v7(), email, name],
  );
  const page = await (await browser.newContext()).newPage();
  await signInAs(page, platform.webUrl, email);
  return page;
}

/** A tenant of the test's core. */
export async function givenTenant(
  page: Page,
  { webUrl }: RunningPlatform,
  core: TestCore,
  slug: string,
): Promise<{ tenantId: string; credential: string }> {
  const hostName = `${slug}.core.example`;
  const coreApiUrl = `${core.url}/tenants/${hostName}`;
  const connected = await send(page, webUrl, "/api/tenants", { name: "Production", hostName, coreApiUrl });
  const { tenantId = "", coreCredential = "" } = connected;
  issued(`the core credential of ${slug}`, coreCredential);
  await core.trust(hostName, coreCredential);
  return { tenantId, credential: coreCredential };
}

/** The newest version of an app. @returns its id */
export async function findVersion(platform: RunningPlatform, app: string) {
  const [version] = await queryDatabase(
    platform,
    `select v.id, v.listing_id from versions v join listings l on l.id = v.listing_id
     where l.app_name = $1 order by v.id desc limit 1`,
    [app],
  );
  return { versionId: version?.id ?? "", listingId: version?.listing_id ?? "" };
}

/** A moderator approves the newest version. @returns its id */
export async function givenVerified(
  browser: Browser,
  platform: RunningPlatform,
  publisher: Page,
  { name }: EchoApp,
): Promise<string> {
  const { webUrl } = platform;
  const { versionId, listingId } = await findVersion(platform, name);
  const { reviewId } = await send(publisher, webUrl, `/api/listings/${listingId}/reviews`, { versionId });
  const moderator = await (await browser.newContext()).newPage();
  await signInAs(moderator, webUrl, "moderator@demo.example");
  await send(moderator, webUrl, `/api/reviews/${reviewId}/decision`, {
    decision: "approve",
    unchecked: true,
  });
  await moderator.context().close();
  return versionId;
}

export interface Launch {
  versionId: string;
  tenantId: string;
  test?: boolean;
  /** By name. */
  settings: Record<string, string>;
  /** Of the product Motor. */
  mapping?: Record<string, string>;
}

/** Launches, and opens the new installation's page. @returns its id */
export async function givenInstallation(
  page: Page,
  { webUrl }: RunningPlatform,
  { versionId, tenantId, test = false, settings, mapping = {} }: Launch,
): Promise<string> {
  const actions = Object.entries(settings).map(([name, value]) => [name, { action: "set", value }] as const);
  const { installationId = "" } = await send(page, webUrl, "/api/installations", {
    ...{ versionId, tenantId, test },
    settings: Object.fromEntries(actions),
    mappings: Object.keys(mapping).length > 0 ? { Motor: mapping } : {},
  });
  await open(page, `${webUrl}/installations/${installationId}`);
  return installationId;
}

async function send(
  page: Page,
  webUrl: string,
  path: string,
  data: object,
): Promise<Record<string, string | undefined>> {
  const session = recordSession(page.context().request);
  const answer = await session.post(webUrl + path, { headers: { origin: webUrl }, data });
  expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer.status() === 204 ? {} : answer.json();
}
