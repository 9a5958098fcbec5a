/** The whole way, once, for real: list → publish → Test Launch → verify → configure → launch → the core calls → the app reads its state. */
import { execFile, fork, type ChildProcess } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "@playwright/test";
import Docker from "dockerode";
import { buildImage } from "@/launcher/build-example-images";
import { freePort } from "@/lib/server/runtimes/free-port";
import { expect, open, signInAs, test } from "./fixtures";
import { bytesOf, collectAnswers, findSecrets, readStores, type Haystack } from "./canaries";
import type { RunningPlatform } from "./start-platform";

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "..");
const PASSWORD = "a password for the tests";
const stamp = Date.now().toString(36);
const PUBLISHER = `maker-${stamp}`;
const CUSTOMERS = [
  {
    slug: `north-${stamp}`,
    channel: "Broker desk",
    value: "broker",
    secret: `canary of north ${stamp} "ä"`,
    path: "$.vehicle.vin",
  },
  {
    slug: `south-${stamp}`,
    channel: "Direct sales",
    value: "direct",
    secret: `another canary, of south ${stamp}`,
    path: "$.car.vin",
  },
];

const docker = new Docker();
let core: ChildProcess;
let coreUrl: string;
const answers: Haystack[][] = [];
/** Keys and credentials that were shown once. */
const issued: Record<string, string> = {};

test.beforeAll(async ({ platform }) => {
  const reachable = await docker.ping().then(
    () => true,
    () => false,
  );
  test.skip(!reachable, "no container engine is reachable on this machine");
  const port = await freePort();
  coreUrl = `http://127.0.0.1:${port}`;
  const schema = {
    type: "object",
    properties: { vehicle: { type: "object", properties: { vin: { type: "string" } } } },
  };
  const tenants = Object.fromEntries(
    CUSTOMERS.map(({ slug }) => [`${slug}.core.example`, { products: [{ name: "Motor", schema }] }]),
  );
  core = fork(path.join(ROOT, "examples/core/server.mjs"), {
    env: {
      NODE_ENV: "production",
      CORE_PORT: String(port),
      CORE_URL: coreUrl,
      CORE_GATEWAY: platform.gatewayUrl,
      CORE_TENANTS: JSON.stringify(tenants),
    },
  });
});

test.afterAll(() => {
  core?.kill();
});

test("from a listing to two customers on one container", async ({ platform, browser }) => {
  test.setTimeout(400_000);
  const publisher = await signUp(browser, platform, PUBLISHER);

  await test.step("the publisher lists the app and publishes its image from the command line", async () => {
    await createListing(publisher, platform);
    const credentials = await createApiKey(publisher, platform);
    const output = await publishFromCommandLine(platform, credentials);
    expect(output).toContain("1.1.0");
  });

  await test.step("it is a draft, which the publisher can Test Launch", async () => {
    await connectTenant(publisher, platform, CUSTOMERS[0]?.slug ?? "");
    await open(publisher, `${platform.webUrl}/publish/echo`);
    await expect(publisher.getByText("Draft", { exact: true })).toBeVisible();
    await publisher.getByRole("link", { name: "Test Launch" }).first().click();
    await configure(publisher, { channel: "Broker desk", secret: "a test secret", path: "$.vehicle.vin" });
    await publisher.getByRole("button", { name: "Start Test Launch" }).click();
    await expectRunning(publisher);
    await publisher.getByRole("button", { name: "Fire" }).click();
    await expect(publisher.getByRole("region", { name: "Result" })).toContainText('"channel": "broker"', {
      timeout: 30_000,
    });
  });

  const [north, south] = [
    await signUp(browser, platform, CUSTOMERS[0]?.slug ?? ""),
    await signUp(browser, platform, CUSTOMERS[1]?.slug ?? ""),
  ];

  await test.step("another organization is refused as if there were nothing", async () => {
    for (const address of [
      `/marketplace/${PUBLISHER}/echo`,
      `/launch/${PUBLISHER}/echo`,
      `/launch/${PUBLISHER}/echo?test=1`,
    ]) {
      const answer = await north.goto(platform.webUrl + address);
      expect(answer?.status(), address).toBe(404);
    }
    await open(north, `${platform.webUrl}/marketplace?q=Echo`);
    await expect(north.getByRole("link", { name: /Echo/ })).toHaveCount(0);
  });

  await test.step("a moderator verifies it", async () => {
    await open(publisher, `${platform.webUrl}/publish/echo`);
    await publisher.getByRole("button", { name: "Submit for review" }).click();
    await publisher.getByRole("alertdialog").getByRole("button", { name: "Submit for review" }).click();
    await expect(publisher.getByText("In review").first()).toBeVisible();
    const moderator = await (await browser.newContext()).newPage();
    await signInAs(moderator, platform.webUrl, "moderator@demo.example");
    await open(moderator, `${platform.webUrl}/moderation`);
    await moderator.getByRole("link", { name: new RegExp(`Echo ${stamp}`) }).click();
    await expect(moderator.getByText("Shared secret", { exact: true })).toBeVisible();
    await moderator.getByRole("button", { name: "Approve" }).click();
    await expect(moderator.getByText("Approved").first()).toBeVisible();
    await moderator.context().close();
    await open(publisher, `${platform.webUrl}/publish/echo`);
    await expect(publisher.getByText("Public", { exact: true })).toBeVisible();
  });

  await test.step("two customers configure and launch it, each with settings of its own", async () => {
    for (const [index, page] of [north, south].entries()) {
      const customer = CUSTOMERS[index];
      if (customer === undefined) throw new Error("no such customer");
      const credential = await connectTenant(page, platform, customer.slug);
      await fetch(`${coreUrl}/tenants/${customer.slug}.core.example`, {
        method: "PUT",
        body: JSON.stringify({ credential }),
      });
      await open(page, `${platform.webUrl}/marketplace/${PUBLISHER}/echo`);
      await page.getByRole("link", { name: "Launch", exact: true }).first().click();
      await configure(page, customer);
      await page.getByRole("button", { name: "Launch", exact: true }).click();
      await expectRunning(page);
      // The secret was sent once and is never read back.
      expect(await page.content()).not.toContain(customer.secret);
    }
    expect(await ourContainers()).toHaveLength(1);
  });

  await test.step("each customer's event reaches the app with its own state", async () => {
    for (const [index, page] of [north, south].entries()) {
      const customer = CUSTOMERS[index];
      if (customer === undefined) throw new Error("no such customer");
      const answer = await fetch(`${coreUrl}/tenants/${customer.slug}.core.example/fire`, {
        method: "POST",
        body: JSON.stringify({
          id: `${customer.slug}-1`,
          type: "policy.issued",
          data: { policyLocator: `POL-${index}` },
        }),
      });
      expect(answer.status).toBe(202);
      const row = page.getByRole("button", { name: /POST \/events/ }).first();
      await expect(row).toBeVisible({ timeout: 30_000 });
      await row.click();
      const calls = page.getByRole("region", { name: "Recent calls" });
      await expect(calls).toContainText(`"tenant": "${customer.slug}.core.example"`);
      await expect(calls).toContainText(`"channel": "${customer.value}"`);
      await expect(calls).toContainText(`"secretLength": ${customer.secret.length}`);
      await expect(calls).toContainText(`"vin": "${customer.path}"`);
      await expect(calls).toContainText(`"policyLocator": "POL-${index}"`);
    }
    // Both were served by the one container: its memory holds the other tenant's name too.
    await expect(south.getByRole("region", { name: "Recent calls" })).toContainText(
      `"${CUSTOMERS[0]?.slug}.core.example"`,
    );
  });

  await test.step("no secret stands where it must not", async () => {
    const secrets = Object.fromEntries(
      CUSTOMERS.map(({ slug, secret }) => [`the secret of ${slug}`, secret]),
    );
    const stores = await readStores(platform);
    const haystacks = [...answers.flat(), ...stores];
    expect(findSecrets(haystacks, secrets)).toEqual([]);
    // What is shown once, to one person, is stored nowhere either.
    expect(findSecrets(stores, { ...issued, "a password": PASSWORD })).toEqual([]);
    // The search can fail: what is there, in any of its forms, is found.
    const planted = [
      { where: "a planted leak", text: Buffer.from(CUSTOMERS[0]?.secret ?? "").toString("base64") },
    ];
    expect(findSecrets([...haystacks, ...planted], secrets)).toHaveLength(1);
    console.log(`figure canary_bytes_searched ${bytesOf(haystacks)} bytes`);
  });
});

async function signUp(browser: Browser, platform: RunningPlatform, slug: string): Promise<Page> {
  const context = await browser.newContext();
  answers.push(collectAnswers(context));
  const page = await context.newPage();
  await open(page, `${platform.webUrl}/sign-up`);
  await page.getByLabel("Company").fill(slug);
  await expect(page.getByLabel("Organization slug")).toHaveValue(slug);
  await page.getByLabel("Your name").fill(`Owner of ${slug}`);
  await page.getByLabel("Email").fill(`owner@${slug}.example`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create organization" }).click();
  await expect(page).toHaveURL(/marketplace/);
  return page;
}

async function createListing(page: Page, platform: RunningPlatform): Promise<void> {
  await open(page, `${platform.webUrl}/publish/new`);
  await page.getByLabel("Title").fill(`Echo ${stamp}`);
  await page.getByLabel("App Name").fill("echo");
  await page.getByLabel("Product").fill("Answers with what it can learn from its state.");
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page).toHaveURL(/\/publish\/echo$/);
}

async function createApiKey(
  page: Page,
  platform: RunningPlatform,
): Promise<{ clientId: string; apiKey: string }> {
  await open(page, `${platform.webUrl}/organization/api-keys`);
  await page.getByLabel("Name").fill("Browser test");
  await page.getByRole("button", { name: "Create key" }).click();
  const clientId = await page.getByRole("region", { name: "Client ID", exact: true }).innerText();
  const apiKey = await page.getByRole("region", { name: "API Key", exact: true }).innerText();
  await page.reload();
  expect(await page.content()).not.toContain(apiKey);
  issued["the API key"] = apiKey;
  return { clientId, apiKey };
}

/** Builds the image from a working folder of its own, and publishes it with the real command. */
async function publishFromCommandLine(
  platform: RunningPlatform,
  credentials: { clientId: string; apiKey: string },
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-app-"));
  try {
    await cp(path.join(ROOT, "e2e/apps/echo"), folder, { recursive: true });
    const file = path.join(folder, "platform-app.json");
    await writeFile(file, (await readFile(file, "utf8")).replace("organization/echo", `${PUBLISHER}/echo`));
    await buildImage(docker, folder, `platform-test/echo-${stamp}:latest`);
    const env = { ...process.env, XDG_CONFIG_HOME: folder };
    const command = (...args: string[]) =>
      run(process.execPath, [path.join(ROOT, "bin/platform-app.js"), ...args], { cwd: folder, env });
    await command(
      "login",
      "--url",
      platform.gatewayUrl,
      "--client-id",
      credentials.clientId,
      "--api-key",
      credentials.apiKey,
    );
    const { stdout, stderr } = await command("publish", `platform-test/echo-${stamp}:latest`);
    expect(await readFile(file, "utf8")).toContain('"version": "1.1.0"');
    return stdout + stderr;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await docker
      .getImage(`platform-test/echo-${stamp}:latest`)
      .remove()
      .catch(() => undefined);
  }
}

/** Connects a tenant of the test's own core; answers the credential that is shown once. */
async function connectTenant(page: Page, platform: RunningPlatform, slug: string): Promise<string> {
  await open(page, `${platform.webUrl}/tenants/new`);
  await page.getByLabel("Name", { exact: true }).fill("Production");
  await page.getByLabel("Tenant host name").fill(`${slug}.core.example`);
  await page.getByLabel("Core API address").fill(`${coreUrl}/tenants/${slug}.core.example`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByText("Products: Motor.")).toBeVisible();
  const credential = await page.getByText(/^pcc_/).innerText();
  issued[`the core credential of ${slug}`] = credential;
  return credential;
}

async function configure(
  page: Page,
  values: { channel: string; secret: string; path: string },
): Promise<void> {
  await page.getByRole("radio", { name: /Production/ }).check({ force: true });
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: /Channel/ }).click();
  await page.getByRole("option", { name: values.channel }).click();
  await page.getByRole("textbox", { name: "Shared secret" }).fill(values.secret);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("combobox", { name: /VIN/ }).fill(values.path);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Continue" }).click();
}

async function expectRunning(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/installations\/[0-9a-f-]{36}/);
  await expect(page.getByText("Running", { exact: true })).toBeVisible({ timeout: 90_000 });
}

async function ourContainers() {
  const containers = await docker.listContainers();
  return containers.filter((container) => container.Names.some((name) => name.startsWith("/platform-echo-")));
}
