/**
 * Apps as other publishers write them, from their folder to a served call: without settings, with a manifest that is not in the
 * image, with endpoints, with a path dialect of their own, and with errors that contain secrets.
 */
import type { Page } from "@playwright/test";
import {
  connectTenant,
  copyApp,
  createApiKey,
  createListing,
  expectRunning,
  installationIdFromUrl,
  isEngineRunning,
  signUp,
  startCore,
  type ApiKey,
  type TestCore,
} from "./workflows";
import { expect, open, openTab, test } from "./fixtures";
import { canary } from "./record-traffic";
import { queryDatabase, type RunningPlatform } from "./start-platform";

const MAKER = `others-${Date.now().toString(36)}`;

let core: TestCore;

test.beforeAll(async ({ platform }) => {
  test.skip(!(await isEngineRunning()), "no container engine is reachable on this machine");
  core = await startCore(platform, [MAKER]);
});

test.afterAll(() => core?.end());

test("apps that were written without this platform in mind are published, launched and called", async ({
  platform,
  browser,
}) => {
  test.setTimeout(400_000);
  const page = await signUp(browser, platform, MAKER);
  const key = await createApiKey(page, platform);
  const credential = await connectTenant(page, platform, core, MAKER);
  const authorization = `Bearer ${credential}`;
  const maker = new Maker(page, platform, key);
  const post = (path: string, body: unknown, headers: Record<string, string> = { authorization }) =>
    fetch(platform.gatewayUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  await test.step("no settings, and the manifest is added to the image: it gets its core's event as it was sent", async () => {
    await maker.list("policy-journal");
    await using app = await copyApp("policy-journal", `${MAKER}/policy-journal`);
    await expect(app.publish(platform, key)).rejects.toThrow(/--add-manifest/);
    expect(await app.publish(platform, key, "--add-manifest")).toContain("1.1.0");
    await maker.launch("policy-journal");
    const event = {
      id: "evt-1",
      type: "policy.renewed",
      timestamp: 1_767_225_600_000,
      region: { code: "EU", tiers: [1, 2] },
      data: { policyLocator: "POL-1" },
    };
    expect((await post("/core/v1/events", event)).status).toBe(202);
    await openTab(page, "Calls");
    await page
      .getByRole("link", { name: /POST \/journal/ })
      .first()
      .click();
    const calls = page.getByRole("main");
    await expect(calls).toContainText('"at": "2026-01-01T00:00:00.000Z"');
    await expect(calls).toContainText('"tiers"');
  });

  await test.step("a settings page for the core and a callback for a partner", async () => {
    await maker.publish("partner-desk");
    const id = await maker.launch("partner-desk", {
      answer: () => page.getByRole("textbox", { name: "Partner" }).fill("Harbor Parts"),
      review: async () => {
        await expect(page.getByText("Partner callback")).toBeVisible();
        await page.getByText("Open this endpoint to everyone who knows the URL").click();
      },
    });
    const [row] = await queryDatabase(platform, "select route_base from installations where id = $1", [id]);
    const base = `${platform.gatewayUrl}/r/${row?.route_base}`;

    expect((await fetch(`${base}/settings`)).status).toBe(401);
    const settings = await fetch(`${base}/settings`, { headers: { authorization } });
    expect(await settings.text()).toContain("Harbor Parts");
    expect(settings.headers.get("content-security-policy")).toContain("sandbox");
    expect(settings.headers.get("set-cookie")).toBeNull();

    const callback = await fetch(`${base}/callbacks/orders?n=1`, {
      method: "POST",
      headers: { cookie: "next-auth.session-token=stolen" },
      body: "order 1",
    });
    expect(await callback.json()).toEqual({
      partner: "Harbor Parts",
      method: "POST",
      path: "/callbacks/orders?n=1",
      cookie: null,
      body: "order 1",
    });
    expect((await fetch(`${base}/callbacks/orders`, { method: "DELETE" })).status).toBe(405);
    expect((await fetch(`${base}/other`)).status).toBe(404);
  });

  await test.step("paths in the app's own dialect, and only declared operations", async () => {
    await maker.publish("own-paths");
    const path = "fields[?(@.name=='vin')]";
    const id = await maker.launch("own-paths", {
      answer: () => page.getByRole("textbox", { name: /VIN/ }).fill(path),
    });
    const [route] = await queryDatabase(
      platform,
      "select id from routes where installation_id = $1 and kind = 'autofill'",
      [id],
    );
    const data = { fields: [{ name: "vin", value: "1HGCM82633A004352" }] };
    const answer = await post(`/r/${route?.id}`, { operation: "newBusiness.quote", data });
    expect(await answer.json()).toEqual({
      data: { ...data, make: "1HG" },
      fields: { vin: path },
      settings: {},
    });
    const refused = await post(`/r/${route?.id}`, { operation: "renewal.quote", data });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.json()).toMatchObject({ code: expect.stringMatching(/OPERATION/) });
  });

  await test.step("a crash shows its reason and its log, without the secret and the state key", async () => {
    await maker.publish("fragile");
    const account = canary("the account of an app that crashes");
    const id = await maker.launch("fragile", {
      answer: () => page.getByRole("textbox", { name: "Account" }).fill(account),
    });
    const [route] = await queryDatabase(
      platform,
      "select id from routes where installation_id = $1 and kind = 'autofill'",
      [id],
    );
    const call = (data: unknown) => post(`/r/${route?.id}`, { operation: "newBusiness.create", data });
    expect((await call({ fine: 1 })).status).toBe(200);
    expect((await call({ crash: true })).status).toBe(502);
    await open(page, `${platform.webUrl}/installations/${id}`);
    await expect(page.getByText(/exited with code 1/).first()).toBeVisible({ timeout: 30_000 });
    await open(page, `${platform.webUrl}/publish/fragile`);
    await expect(page.getByText(/cannot sign in as/).first()).toBeVisible();
    const text = await page.content();
    expect(text).not.toContain(account);
    expect(text).not.toContain("psk_");
    const tails = await queryDatabase(
      platform,
      "select log_tail from instances where log_tail ~ 'psk_[A-Za-z0-9_-]{20}'",
    );
    expect(tails).toEqual([]);
    await expect.poll(async () => (await call({ fine: 2 })).status, { timeout: 60_000 }).toBe(200);
  });
});

/** What to do in the steps of the launch wizard. */
interface LaunchSteps {
  answer?: () => Promise<void>;
  review?: () => Promise<void>;
}

/** The publisher of all these apps, on its own tenant. */
class Maker {
  constructor(
    private readonly page: Page,
    private readonly platform: RunningPlatform,
    private readonly key: ApiKey,
  ) {}

  list(app: string): Promise<void> {
    return createListing(this.page, this.platform, { publisher: MAKER, name: app, title: app });
  }

  async publish(app: string): Promise<void> {
    await this.list(app);
    await using copy = await copyApp(app, `${MAKER}/${app}`);
    expect(await copy.publish(this.platform, this.key)).toContain("1.1.0");
  }

  /** Goes through the wizard of a Test Launch. @returns the installation's id */
  async launch(app: string, { answer, review }: LaunchSteps = {}): Promise<string> {
    const { page } = this;
    await open(page, `${this.platform.webUrl}/launch/${MAKER}/${app}?test=1`);
    await page.getByRole("radio", { name: /Production/ }).check({ force: true });
    await page.getByRole("button", { name: "Continue" }).click();
    if (answer !== undefined) {
      await answer();
      await page.getByRole("button", { name: "Continue" }).click();
    }
    await review?.();
    await page.getByRole("button", { name: "Start Test Launch" }).click();
    await expectRunning(page);
    return installationIdFromUrl(page);
  }
}
