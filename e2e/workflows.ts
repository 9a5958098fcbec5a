/** Steps of publishers, moderators and customers on the pages, from a new organization to a running app. */
import { execFile, fork } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "@playwright/test";
import Docker from "dockerode";
import { freePort } from "@/lib/server/platform/machine";
import { buildImage } from "@/lib/server/runtime/engines/docker-example-image";
import { expect, open, signInAs, test } from "./fixtures";
import { canary, issued } from "./record-traffic";
import type { RunningPlatform } from "./start-platform";

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "..");

export const docker = new Docker();

function isEngineRunning(): Promise<boolean> {
  return docker.ping().then(
    () => true,
    () => false,
  );
}

export interface TestCore {
  url: string;
  /** Gives the core the credential with which a tenant signs in to the gateway. */
  trust: (hostName: string, credential: string) => Promise<void>;
}

/**
 * For a spec that needs a container engine, and is skipped without one: a core with a tenant for each of these organizations, which
 * has one product and trusts only its organization. It can be used once the spec's tests run.
 */
export function coreFor(...slugs: string[]): TestCore {
  let running: (TestCore & { end: () => void }) | undefined;
  test.beforeAll(async ({ platform }) => {
    test.skip(!(await isEngineRunning()), "no container engine is reachable on this machine");
    running = await startCore(platform, slugs);
  });
  test.afterAll(() => running?.end());
  const get = () => {
    if (running === undefined) throw new Error("The core is started before the first test.");
    return running;
  };
  return {
    get url() {
      return get().url;
    },
    trust: (hostName, credential) => get().trust(hostName, credential),
  };
}

async function startCore(
  platform: RunningPlatform,
  slugs: string[],
): Promise<TestCore & { end: () => void }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const vin = { type: "object", properties: { vin: { type: "string", title: "VIN" } } };
  const schema = { type: "object", properties: { vehicle: vin, car: vin } };
  const products = [{ name: "Motor", schema }];
  const tenants = Object.fromEntries(
    slugs.map((slug) => [`${slug}.core.example`, { organization: slug, products }]),
  );
  const child = fork(path.join(ROOT, "examples/core/server.mjs"), {
    env: {
      NODE_ENV: "production",
      CORE_PORT: String(port),
      CORE_URL: url,
      CORE_GATEWAY: platform.gatewayUrl,
      CORE_TENANTS: JSON.stringify(tenants),
    },
  });
  const trust = async (hostName: string, credential: string) => {
    const body = JSON.stringify({ credential });
    await fetch(`${url}/tenants/${hostName}`, { method: "PUT", body });
  };
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(answers, { message: "the core doesn't listen", timeout: 20_000 }).toBe(true);
  return { url, trust, end: () => void child.kill() };
}

/** A new organization with its owner, signed in. */
export async function signUp(browser: Browser, platform: RunningPlatform, slug: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await open(page, `${platform.webUrl}/sign-up`);
  await page.getByLabel("Company").fill(slug);
  await expect(page.getByLabel("Organization slug")).toHaveValue(slug);
  await page.getByLabel("Your name").fill(`Owner of ${slug}`);
  await page.getByLabel("Email").fill(`owner@${slug}.example`);
  await page.getByLabel("Password", { exact: true }).fill(canary(`the password of ${slug}`));
  await page.getByRole("button", { name: "Create organization" }).click();
  await expect(page).toHaveURL(/\/home$/);
  return page;
}

/** An echo app of one spec. Its name is unique, so that specs can run at the same time. */
export interface EchoApp {
  publisher: string;
  name: string;
  title: string;
}

export async function createListing(
  page: Page,
  platform: RunningPlatform,
  { name, title }: EchoApp,
): Promise<void> {
  await open(page, `${platform.webUrl}/publish/new`);
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("App name").fill(name);
  await page.getByLabel("Product").fill("Answers with what it can learn from its state.");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page).toHaveURL(`${platform.webUrl}/publish/${name}`);
}

export interface ApiKey {
  clientId: string;
  apiKey: string;
}

export async function createApiKey(page: Page, platform: RunningPlatform): Promise<ApiKey> {
  await open(page, `${platform.webUrl}/organization/api-keys`);
  await page.getByLabel("Name").fill("Browser test");
  await page.getByRole("button", { name: "Create key" }).click();
  const clientId = await page.getByRole("region", { name: "Client ID", exact: true }).innerText();
  const apiKey = await page.getByRole("region", { name: "API key", exact: true }).innerText();
  issued(`the API key ${clientId}`, apiKey);
  await page.reload();
  expect(await page.content()).not.toContain(apiKey);
  return { clientId, apiKey };
}

/** How a release changes the echo app. */
export interface Release {
  manifest?: (manifest: EchoManifest) => void;
  program?: (source: string) => string;
}

export interface EchoManifest {
  version: string;
  app: { fields: { name: string; [member: string]: unknown }[] };
  core: { lifecycle: string[]; [member: string]: unknown };
}

/** Builds the image in its own folder and publishes it with the real command, one minor version up. */
export async function publishEcho(
  platform: RunningPlatform,
  { publisher, name }: EchoApp,
  key: ApiKey,
  { manifest: edit, program }: Release = {},
): Promise<string> {
  await using app = await copyApp("echo", `${publisher}/${name}`);
  const file = path.join(app.folder, "platform-app.json");
  const manifest: EchoManifest = JSON.parse(await readFile(file, "utf8"));
  edit?.(manifest);
  await writeFile(file, JSON.stringify(manifest, null, 2));
  const source = path.join(app.folder, "server.mjs");
  if (program !== undefined) await writeFile(source, program(await readFile(source, "utf8")));
  return await app.publish(platform, key);
}

interface CopiedApp extends AsyncDisposable {
  folder: string;
  /** Builds the image, signs in and runs `platform-app publish`. Resolves with what the command printed. */
  publish: (platform: RunningPlatform, key: ApiKey, ...options: string[]) => Promise<string>;
}

/** Copies an app of `e2e/apps` to a folder of its own, with its name in the manifest. */
export async function copyApp(app: string, name: string): Promise<CopiedApp> {
  const root = await mkdtemp(path.join(tmpdir(), "platform-app-"));
  const folder = path.join(root, "app");
  await cp(path.join(ROOT, "e2e/apps", app), folder, { recursive: true });
  const file = path.join(folder, "platform-app.json");
  const manifest = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...manifest, name }, null, 2));
  const tag = `platform-test/${name}:latest`;
  const command = (...args: string[]) =>
    run(process.execPath, [path.join(ROOT, "cli/dist/platform-app.js"), ...args], {
      cwd: folder,
      env: { ...process.env, XDG_CONFIG_HOME: root },
    });
  return {
    folder,
    publish: async ({ gatewayUrl }, { clientId, apiKey }, ...options) => {
      await buildImage(docker, folder, tag);
      await command("login", "--url", gatewayUrl, "--client-id", clientId, "--api-key", apiKey);
      const { stdout, stderr } = await command("publish", tag, ...options);
      return stdout + stderr;
    },
    [Symbol.asyncDispose]: async () => {
      await rm(root, { recursive: true, force: true });
      const image = docker.getImage(tag);
      await image.remove().catch(() => undefined);
    },
  };
}

/** The publisher submits the newest version, and a moderator approves it. */
export async function verify(
  browser: Browser,
  platform: RunningPlatform,
  publisher: Page,
  { name, title }: EchoApp,
): Promise<void> {
  await open(publisher, `${platform.webUrl}/publish/${name}/versions`);
  await publisher.getByRole("button", { name: "Submit for review" }).first().click();
  await publisher.getByRole("alertdialog").getByRole("button", { name: "Submit for review" }).click();
  await expect(publisher.getByText("In review").first()).toBeVisible();
  const moderator = await (await browser.newContext()).newPage();
  await signInAs(moderator, platform.webUrl, "moderator@demo.example");
  await open(moderator, `${platform.webUrl}/moderation`);
  await moderator.getByRole("link", { name: new RegExp(title) }).click();
  await expect(moderator.getByText("Shared secret", { exact: true })).toBeVisible();
  await moderator.getByRole("button", { name: "Approve" }).click();
  await moderator
    .getByRole("alertdialog")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect(moderator.getByText(/^Decided by /)).toBeVisible();
  await moderator.context().close();
}

/** Connects a tenant of the test's core and gives the core the credential, which is shown once. */
export async function connectTenant(
  page: Page,
  platform: RunningPlatform,
  core: TestCore,
  slug: string,
): Promise<string> {
  const hostName = `${slug}.core.example`;
  await open(page, `${platform.webUrl}/tenants/new`);
  await page.getByLabel("Name", { exact: true }).fill("Production");
  await page.getByLabel("Tenant host name").fill(hostName);
  await page.getByLabel("Core API address").fill(`${core.url}/tenants/${hostName}`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByText("Products: Motor.")).toBeVisible();
  const credential = await page.getByText(/^pcc_/).innerText();
  issued(`the core credential of ${slug}`, credential);
  await core.trust(hostName, credential);
  return credential;
}

/** Turns on the recording of what production calls contain. */
export async function recordBodies(page: Page, platform: RunningPlatform): Promise<void> {
  await open(page, `${platform.webUrl}/organization/settings`);
  const saved = page.waitForResponse((response) => response.url().endsWith("/api/organization/settings"));
  await page.getByText("Record payloads and responses").click();
  expect((await saved).ok()).toBe(true);
}

export interface Answers {
  channel: string;
  secret: string;
  path: string;
}

/** The steps of the wizard up to the review. `onSettings`: once the settings are entered, before the next step. */
export async function answerWizard(
  page: Page,
  { channel, secret, path: vin }: Answers,
  onSettings?: () => Promise<void>,
): Promise<void> {
  await page.getByRole("radio", { name: /Production/ }).check({ force: true });
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: /Channel/ }).click();
  await page.getByRole("option", { name: channel }).click();
  await page.getByRole("textbox", { name: "Shared secret" }).fill(secret);
  await onSettings?.();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: /VIN/ }).fill(vin);
  await page.getByRole("button", { name: "Continue" }).click();
}

export async function expectRunning(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/installations\/[0-9a-f-]{36}/);
  await expect(page.getByText("Running", { exact: true })).toBeVisible({ timeout: 90_000 });
}

/** The id of the installation on this page. */
export function installationIdFromUrl(page: Page): string {
  return /installations\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? "";
}

/** The ids of an app's running containers. */
export async function listContainers({ name }: EchoApp): Promise<string[]> {
  const containers = await docker.listContainers();
  return containers
    .filter(({ Names }) => Names.some((one) => one.startsWith(`/platform-${name}-`)))
    .map(({ Id }) => Id);
}
