/**
 * Apps that misbehave, in real containers: the page says why a launch failed, why each call failed, and what crashed an app, so
 * that its publisher knows what to do. `tests/misbehaving-apps.test.ts` has every behavior.
 */
import type { Page } from "@playwright/test";
import { chooseBehavior } from "@/tests/choose-behavior";
import { expect, open, test } from "./fixtures";
import { canary } from "./record-traffic";
import { queryDatabase, type RunningPlatform } from "./start-platform";
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

const MAKER = `misbehaving-${Date.now().toString(36)}`;
const LAUNCH_FAILS_MS = 90_000;

/** How the app answers, and what the page of the call says. */
const REFUSED = {
  "10-gigabytes": "Its answer is larger than 1 MiB.",
  "gzip-bomb": "It compressed its answer (gzip).",
  malformed: "Its answer is not valid HTTP.",
  redirect: "It answered 302, a redirect. The platform doesn't follow redirects.",
};

let core: TestCore;

test.beforeAll(async ({ platform }) => {
  test.skip(!(await isEngineRunning()), "no container engine is reachable on this machine");
  core = await startCore(platform, [MAKER]);
});

test.afterAll(() => core?.end());

test("each way in which an app misbehaves has its reason on the page", async ({ platform, browser }) => {
  test.setTimeout(300_000);
  const page = await signUp(browser, platform, MAKER);
  const key = await createApiKey(page, platform);
  const authorization = `Bearer ${await connectTenant(page, platform, core, MAKER)}`;
  // It takes a minute until it has not become ready, so it is first here and last below.
  const loopback = await publishAndLaunch(page, platform, key, "loopback-only");

  await test.step("a crash at the start: exit code and log", async () => {
    await publishAndLaunch(page, platform, key, "crash-loop");
    await expect(
      page.getByText("The app exited with code 7 before GET /health answered 200.").first(),
    ).toBeVisible({ timeout: LAUNCH_FAILS_MS });
    await expect(page.getByText("cannot read /config/rates.json").first()).toBeVisible();
  });

  await test.step("answers that are refused: each call says why, and the app is degraded", async () => {
    const id = await publishAndLaunch(page, platform, key, "serves");
    await expectRunning(page);
    const call = await createCaller(platform, id, authorization);
    for (const answer of Object.keys(REFUSED)) expect((await call(answer)).status, answer).toBe(502);
    await open(page, `${platform.webUrl}/installations/${id}`);
    await expect(page.getByText("Degraded").first()).toBeVisible();
    const calls = await queryDatabase(
      platform,
      "select id from attempts where installation_id = $1 and kind = 'autofill' order by id",
      [id],
    );
    expect(calls).toHaveLength(Object.keys(REFUSED).length);
    for (const [at, reason] of Object.values(REFUSED).entries()) {
      await open(page, `${platform.webUrl}/calls/${calls[at]?.id}`);
      await expect(page.getByRole("main")).toContainText(reason);
    }
    await open(page, `${platform.webUrl}/installations/${id}`);
  });

  await test.step("a crash that a payload causes: the call, the notice and the publisher's page say so", async () => {
    const id = installationIdFromUrl(page);
    const call = await createCaller(platform, id, authorization);
    expect((await call("crash")).status).toBe(502);
    await expect.poll(async () => (await call("well")).status, { timeout: 30_000 }).toBe(200);
    await open(page, `${platform.webUrl}/installations/${id}`);
    await expect(page.getByText("The app exited with code 1.").first()).toBeVisible();
    await open(page, `${platform.webUrl}/publish/serves`);
    await expect(page.getByText("rates is undefined").first()).toBeVisible();
  });

  await test.step("it listens only inside its container: what it listens on and what to change", async () => {
    await open(page, `${platform.webUrl}/installations/${loopback}`);
    await expect(
      page
        .getByText(
          /GET \/health got no answer\. It listens on 127\.0\.0\.1, .* It must listen on 0\.0\.0\.0\./,
        )
        .first(),
    ).toBeVisible({ timeout: LAUNCH_FAILS_MS });
  });
});

/** A Test Launch of the app with this behavior. @returns the installation's id */
async function publishAndLaunch(
  page: Page,
  platform: RunningPlatform,
  key: ApiKey,
  behavior: string,
): Promise<string> {
  await createListing(page, platform, { publisher: MAKER, name: behavior, title: behavior });
  await using app = await copyApp("misbehaving", `${MAKER}/${behavior}`);
  await chooseBehavior(app.folder, behavior);
  await app.publish(platform, key);
  await open(page, `${platform.webUrl}/launch/${MAKER}/${behavior}?test=1`);
  await page.getByRole("radio", { name: /Production/ }).check({ force: true });
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Account" }).fill(canary(`the account of ${behavior}`));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Start Test Launch" }).click();
  await expect(page).toHaveURL(/\/installations\/[0-9a-f-]{36}/);
  return installationIdFromUrl(page);
}

/** Calls the autofill of an installation as the core does. `answer` is how the app answers it. */
async function createCaller(platform: RunningPlatform, installationId: string, authorization: string) {
  const [route] = await queryDatabase(
    platform,
    "select id from routes where installation_id = $1 and kind = 'autofill'",
    [installationId],
  );
  return (answer: string) =>
    fetch(`${platform.gatewayUrl}/r/${route?.id}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ operation: "newBusiness.create", data: { answer } }),
    });
}
