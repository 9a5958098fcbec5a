/**
 * The page of calls: each kind of call appears while it happens, filters find it, a dead letter is sent again, and the chart
 * counts it.
 */
import type { Page } from "@playwright/test";
import {
  findVersion,
  givenApiKey,
  givenInstallation,
  givenListing,
  givenOrganization,
  givenTenant,
} from "./given";
import { coreFor, type EchoManifest, expectRunning, publishEcho } from "./workflows";
import { saveScreenshot } from "./accessibility";
import { expect, open, openTab, test } from "./fixtures";
import { canary } from "./record-traffic";
import { queryDatabase } from "./start-platform";

const stamp = Date.now().toString(36);
const APP = { publisher: `watch-${stamp}`, name: `watched-${stamp}`, title: `Watched ${stamp}` };

const core = coreFor(APP.publisher);

/** With a route of each kind. */
function addRoutes({ core }: EchoManifest): void {
  core.externalRaters = [{ name: "Telematics", path: "/rate" }];
  core.endpoints = [{ path: "/documents", methods: ["POST"], access: "core", title: "Documents" }];
}

/** It refuses events until an autofill call repairs it, and rates. */
function breakEvents(source: string): string {
  return source.replace("const seen = [];", "const seen = [];\nlet isRepaired = false;").replace(
    "const state = await readState(request);",
    `const state = await readState(request);
  if (payload.operation) console.error("doing " + payload.operation);
  if (payload.operation === "newBusiness.repair") isRepaired = true;
  if (pathname === "/events" && payload.data?.refused && !isRepaired) return reply(500, { error: "The ledger is locked." });
  if (pathname === "/rate") return reply(200, { premium: 120, currency: "USD" });`,
  );
}

test("calls of each kind are watched, found, replayed and charted", async ({ platform, browser }) => {
  test.setTimeout(400_000);
  const page = await givenOrganization(browser, platform, APP.publisher);
  await givenListing(page, platform, APP);
  await publishEcho(platform, APP, await givenApiKey(page, platform), {
    manifest: addRoutes,
    program: breakEvents,
  });
  const { tenantId, credential } = await givenTenant(page, platform, core, APP.publisher);
  const { versionId } = await findVersion(platform, APP.name);
  const installationId = await givenInstallation(page, platform, {
    ...{ versionId, tenantId, test: true },
    settings: { channel: "broker", secret: canary("the watched secret") },
    mapping: { vin: "$.vehicle.vin" },
  });
  await expectRunning(page);
  const routes = await queryDatabase(
    platform,
    "select r.kind, r.id, i.route_base from routes r join installations i on i.id = r.installation_id where i.id = $1",
    [installationId],
  );
  const route = (kind: string) => routes.find((each) => each.kind === kind)?.id;
  const send = async (path: string, body: object) => {
    const answer = await fetch(platform.gatewayUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.ok, `${path}: ${answer.status} ${await answer.text()}`).toBe(true);
  };
  const sendEvent = (id: string, data: object) =>
    send("/core/v1/events", { id, type: "policy.issued", timestamp: new Date().toISOString(), data });

  await test.step("each kind of call appears while the page is open", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Calls" }).click();
    await expect(page).toHaveURL(`${platform.webUrl}/calls`);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();
    await page.mouse.move(0, 0);
    await send(`/r/${route("autofill")}`, { operation: "newBusiness.create", data: {} });
    await expect(row(page, /Autofill: POST \/autofill/)).toContainText("200");
    await send(`/r/${route("rater")}`, { quote: 1 });
    await expect(row(page, /External rater: POST \/rate/)).toContainText("200");
    await send(`/r/${routes[0]?.route_base}/documents`, { document: 1 });
    await expect(row(page, /Endpoint: POST \/documents/)).toBeVisible();
    await sendEvent("delivered", {});
    await expect(row(page, /Webhook: POST \/events/)).toContainText("200");
    await sendEvent("refused", { refused: true });
    await expect(page.getByText("Retry due")).toBeVisible();
  });

  await test.step("the publisher sees what the app writes while it writes it, without the secret", async () => {
    const logs = await page.context().newPage();
    await open(logs, `${platform.webUrl}/installations/${installationId}`);
    await logs.getByRole("link", { name: "Logs" }).click();
    const lines = logs.getByRole("log", { name: "Log lines" });
    await expect(lines).toContainText("Instance is ready");
    await expect(logs.getByText("Live", { exact: true })).toBeVisible();
    await send(`/r/${route("autofill")}`, { operation: "newBusiness.logged", data: {} });
    await expect(lines).toContainText("doing newBusiness.logged");
    await expect(lines).toContainText(/serving .* with \[secret: secret\]/);
    await look(logs, "the log of an app");
    await logs.close();
  });

  await test.step("a test call from the console appears with its mark", async () => {
    const console = await page.context().newPage();
    await open(console, `${platform.webUrl}/installations/${installationId}`);
    await openTab(console, "Calls");
    await console.getByRole("button", { name: "Send test call" }).click();
    await expect(calls(page).getByText("Test", { exact: true }).first()).toBeVisible();
    await console.close();
    await look(page, "calls of each kind");
  });

  await test.step("a filter is in the URL, and Back undoes it", async () => {
    await page.getByRole("button", { name: "Failed", exact: true }).click();
    await expect(page).toHaveURL(/\?state=failed$/);
    // The event is tried at once and after 5 s.
    await expect(calls(page).getByRole("listitem")).toHaveCount(2);
    await page.getByRole("searchbox", { name: "Search targets and failures" }).fill("nothing like this");
    await page.keyboard.press("Enter");
    await expect(page.getByText("No calls match these filters.")).toBeVisible();
    await page.goBack();
    await page.goBack();
    await expect(page).toHaveURL(`${platform.webUrl}/calls`);
    await expect(row(page, /Endpoint: POST \/documents/)).toBeVisible();
  });

  await test.step("a call's own page is one click away, and its timeline says what happened", async () => {
    await row(page, /Autofill: POST \/autofill/).click();
    await expect(page).toHaveURL(/\/calls\/[0-9a-f-]{36}$/);
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText(/read its state/i);
    await page.goBack();
  });

  await test.step("a dead letter is sent again, and this time the app accepts it", async () => {
    // The tries take three days: the last one is now.
    await queryDatabase(
      platform,
      "update deliveries set attempt_count = 9, next_attempt_at = now() where installation_id = $1 and state = 'PENDING'",
      [installationId],
    );
    await open(page, `${platform.webUrl}/calls?state=dead`);
    await expect(calls(page).getByRole("listitem")).toHaveCount(1, { timeout: 30_000 });
    await expect(calls(page)).toContainText("Dead after 10 attempts");
    await send(`/r/${route("autofill")}`, { operation: "newBusiness.repair", data: {} });
    await calls(page).getByRole("checkbox").check({ force: true });
    await look(page, "dead deliveries");
    await page.getByRole("button", { name: "Replay selected" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText("Replay 1 dead delivery?");
    await dialog.getByRole("button", { name: "Replay 1 delivery" }).click();
    await expect(page.getByText("Replaying 1 delivery.")).toBeVisible();
    await expect(page.getByText("No calls match these filters.")).toBeVisible({ timeout: 30_000 });
    await page.getByRole("button", { name: "All", exact: true }).click();
    // The newest attempt of the event, above those that failed before.
    await expect(row(page, /Webhook: POST \/events/)).toContainText("200", { timeout: 30_000 });
    await expect(page.getByText("Delivered later").first()).toBeVisible();
  });

  await test.step("the chart counts the calls, and one of its times selects them", async () => {
    await open(page, `${platform.webUrl}/calls?last=1h`);
    const errors = page.getByRole("button", { name: /Error rate/ });
    await expect(errors).toContainText("%");
    await errors.click();
    await expect(page.getByRole("figure", { name: "Error rate" }).locator("canvas")).toBeVisible();
    await look(page, "the chart of calls");
    await page.getByRole("button", { name: "Show table" }).click();
    const table = page.getByRole("table", { name: "Calls over time" });
    await table.getByRole("button").first().click();
    await expect(page).toHaveURL(/from=.*&to=/);
    await expect(calls(page).getByRole("listitem").first()).toBeVisible();
  });
});

const calls = (page: Page) => page.getByRole("list", { name: "Calls", exact: true });

/** The newest call with this name, whose link covers its row. */
const row = (page: Page, name: RegExp) =>
  calls(page)
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name }) })
    .first();

/** Pictures for review: phone and desktop, light and dark. */
async function look(page: Page, name: string): Promise<void> {
  if (process.env.PLATFORM_SCREENSHOTS === undefined) return;
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(400);
      await saveScreenshot(page, `${name} ${width} ${colorScheme}`);
    }
  await page.setViewportSize({ width: 1280, height: 720 });
}
