/** Two customers on one container: reconfigure during calls, save at the same time, upgrade, roll back, uninstall. */
import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  findVersion,
  givenApiKey,
  givenInstallation,
  givenListing,
  givenOrganization,
  givenTenant,
  givenVerified,
} from "./given";
import { coreFor, expectRunning, listContainers, publishEcho, type Release } from "./workflows";
import { expect, hydrated, open, test } from "./fixtures";
import { canary } from "./record-traffic";
import { streamCalls, type CallStream, type StreamedCall } from "./stream-calls";

const stamp = Date.now().toString(36);
const APP = { publisher: `changer-${stamp}`, name: `changing-${stamp}`, title: `Changing ${stamp}` };
const NORTH = { slug: `boreal-${stamp}`, value: "broker" };
const SOUTH = { slug: `austral-${stamp}`, value: "direct" };

const core = coreFor(NORTH.slug, SOUTH.slug);

/** A customer with a running installation, and calls from its core. */
interface Launched {
  page: Page;
  id: string;
  secret: string;
  stream: (payload?: object) => CallStream;
}

test("an installation is changed while the core calls it", async ({ platform, browser }) => {
  test.setTimeout(600_000);
  const publisher = await givenOrganization(browser, platform, APP.publisher);
  await givenListing(publisher, platform, APP);
  const key = await givenApiKey(publisher, platform);
  const publish = async (release: Release = {}) => {
    await publishEcho(platform, APP, key, release);
    await givenVerified(browser, platform, publisher, APP);
  };
  await publish();
  const [north, south] = [await launch(NORTH), await launch(SOUTH)];
  // The checks of a review have a container of their own, which ends with them.
  await expect.poll(() => listContainers(APP), { timeout: 120_000 }).toHaveLength(1);

  await test.step("reconfigured during calls: each call sees one whole revision, the old or the new one", async () => {
    const streams = [north.stream({ hold: 150 }), south.stream({ hold: 150 })];
    const saved = [{ value: NORTH.value, digest: hashSecret(north.secret), at: 0 }];
    for (const [channel, value] of [
      ["Direct sales", "direct"],
      ["Broker desk", "broker"],
      ["Direct sales", "direct"],
    ] as const) {
      await untilMore(streams, 6);
      const secret = canary(`a new secret of ${NORTH.slug}`);
      await configure(north, async (page) => {
        await choose(page, "Channel", channel);
        await replaceSecret(page, "Shared secret", secret);
      });
      saved.push({ value, digest: hashSecret(secret), at: Date.now() });
    }
    await untilMore(streams, 6);
    const [calls = [], others = []] = await Promise.all(streams.map((stream) => stream.end()));
    expectAllServed([...calls, ...others]);
    for (const { answer, startedAt } of calls) {
      const at = saved.findIndex(({ digest }) => digest === answer.secretDigest);
      expect(answer, "a whole revision").toMatchObject({ channel: saved[at]?.value, same: true });
      const newest = saved.findLastIndex((one) => one.at < startedAt);
      expect(at, "a call after a save sees it").toBeGreaterThanOrEqual(newest);
    }
    // Calls saw each of these revisions, and no others.
    expect(new Set(calls.map(({ answer }) => answer.secretDigest)).size).toBe(saved.length);
    for (const { answer } of others)
      expect(answer).toMatchObject({
        channel: SOUTH.value,
        secretDigest: hashSecret(south.secret),
        same: true,
      });
    console.log(`figure calls_during_reconfigure ${calls.length + others.length} calls`);
    expect(await listContainers(APP)).toHaveLength(1);
  });

  await test.step("an optional secret is set, kept when the form is saved without it, and cleared; it is never shown", async () => {
    const token = canary("the token");
    await configure(north, (page) => page.getByRole("textbox", { name: "Token" }).fill(token));
    expect(await oneAnswer(north)).toMatchObject({ tokenLength: token.length });
    await configure(north, async (page) => {
      await expect(page.getByRole("radio", { name: "Keep" }).last()).toBeChecked();
      await page.getByRole("textbox", { name: "Note" }).fill("********");
    });
    const kept = await oneAnswer(north);
    expect(kept).toMatchObject({ tokenLength: token.length, settings: { note: "********" } });
    await configure(north, async (page) => {
      await pick(page, "Token", "Clear");
    });
    expect((await oneAnswer(north)).settings).not.toHaveProperty("token");
  });

  await test.step("two saves at the same time: the second sees both versions and loses nothing", async () => {
    const other = await north.page.context().newPage();
    await openConfigure(north);
    await open(other, north.page.url());
    await north.page.getByRole("textbox", { name: "Note" }).fill("from the first tab");
    const secret = canary("the secret of the second tab");
    await other.getByRole("textbox", { name: "Note" }).fill("from the second tab");
    await replaceSecret(other, "Shared secret", secret);
    await save(north.page);
    await other.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = other.getByRole("dialog");
    await expect(dialog).toContainText("in the meantime");
    await expect(dialog).toContainText("from the first tab");
    await expect(dialog).toContainText("from the second tab");
    await dialog.getByRole("radio", { name: /^Mine/ }).check({ force: true });
    await dialog.getByRole("button", { name: /^Save as revision/ }).click();
    await expect(other).toHaveURL(new RegExp(`/installations/${north.id}$`), SAVED);
    await other.close();
    expect(await oneAnswer(north)).toMatchObject({
      secretDigest: hashSecret(secret),
      settings: { note: "from the second tab" },
    });
  });

  await test.step("the history shows no secrets, and an earlier revision is restored", async () => {
    const { page, id } = north;
    await open(page, `${platform.webUrl}/installations/${id}/history`);
    await expect(page.getByText(/Shared secret/).first()).toBeVisible();
    await expect(page.getByText("from the first tab").first()).toBeVisible();
    const before = await oneAnswer(north);
    await page.getByRole("button", { name: "Restore" }).first().click();
    await page
      .getByRole("alertdialog")
      .or(page.getByRole("dialog"))
      .getByRole("button", { name: /Restore/ })
      .click();
    await expect.poll(async () => (await oneAnswer(north)).settings?.note).toBe("from the first tab");
    expect((await oneAnswer(north)).secretDigest).toBe(before.secretDigest);
    await open(page, `${platform.webUrl}/installations/${id}/history?view=secrets`);
    await expect(page.getByText(/replaced/i).first()).toBeVisible();
  });

  await test.step("a new version that fails: the old one keeps serving, and no call fails", async () => {
    await publish({
      manifest: (manifest) => (manifest.version = "1.1.0"),
      program: () => 'console.error("there is no license"); process.exit(3);\n',
    });
    const streams = [north.stream({ hold: 100 }), south.stream({ hold: 100 })];
    await openUpgrade(north, "1.2.0");
    await north.page.getByRole("button", { name: "Upgrade to 1.2.0" }).click();
    await expect(north.page).toHaveURL(new RegExp(`/installations/${north.id}$`));
    // The page says "keeps serving" while the new version starts, too; it is over when there is something to try again.
    await expect(north.page.getByRole("button", { name: "Try again" })).toBeVisible({ timeout: 120_000 });
    await expect(north.page.getByText(/1\.1\.0 keeps serving/).first()).toBeVisible();
    await expect(north.page.getByText("Running", { exact: true })).toBeVisible();
    await untilMore(streams, 4);
    const calls = (await Promise.all(streams.map((stream) => stream.end()))).flat();
    expectAllServed(calls);
    for (const { answer } of calls) expect(answer.release).toBe("1");
    console.log(`figure calls_during_failed_upgrade ${calls.length} calls`);
  });

  await test.step("a good version: it asks only for new settings, switches without a failed call, and rolls back", async () => {
    await publish({
      manifest: (manifest) => {
        manifest.version = "1.2.0";
        manifest.app.fields = manifest.app.fields.filter(({ name }) => name !== "note");
        manifest.app.fields.push({ name: "branch", title: "Branch", type: "Text", required: true });
      },
      program: (source) => source.replace('RELEASE = "1"', 'RELEASE = "3"'),
    });
    const before = await oneAnswer(north);
    const streams = [north.stream({ hold: 100 }), south.stream({ hold: 100 })];
    await openUpgrade(north, "1.3.0");
    const { page } = north;
    await expect(page.getByRole("textbox", { name: "Shared secret" })).toHaveCount(0);
    await page.getByRole("textbox", { name: "Branch" }).fill("Bergen");
    await page.getByRole("button", { name: "Upgrade to 1.3.0" }).click();
    await expect(page).toHaveURL(new RegExp(`/installations/${north.id}$`));
    await expect.poll(async () => (await oneAnswer(north)).release, { timeout: 120_000 }).toBe("3");
    await untilMore(streams, 10);
    const [calls = [], others = []] = await Promise.all(streams.map((stream) => stream.end()));
    expectAllServed([...calls, ...others]);
    // On either version a call sees the configuration of that version.
    for (const { answer } of calls)
      expect(answer.settings, `release ${answer.release}`).toMatchObject(
        answer.release === "3" ? { branch: "Bergen" } : { note: "from the first tab" },
      );
    expect(new Set(calls.map(({ answer }) => answer.release))).toEqual(new Set(["1", "3"]));
    for (const { answer } of others) expect(answer.release).toBe("1");
    const after = await oneAnswer(north);
    expect(after).toMatchObject({ secretDigest: before.secretDigest, settings: { branch: "Bergen" } });
    expect(after.settings).not.toHaveProperty("note");
    console.log(`figure calls_during_upgrade ${calls.length + others.length} calls`);

    await open(page, `${platform.webUrl}/installations/${north.id}`);
    await page.getByRole("link", { name: "Roll back to 1.1.0" }).click({ timeout: 60_000 });
    await page.getByRole("button", { name: "Roll back to 1.1.0" }).click();
    await expect.poll(async () => (await oneAnswer(north)).release, { timeout: 120_000 }).toBe("1");
    expect(await oneAnswer(north)).toMatchObject({
      secretDigest: before.secretDigest,
      settings: { note: "from the first tab" },
    });
  });

  await test.step("uninstalled by typing its name: it no longer answers, and the other installation keeps running", async () => {
    const { page, id } = north;
    await open(page, `${platform.webUrl}/installations/${id}/settings`);
    await page.getByRole("button", { name: "Uninstall" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("textbox").fill(`${APP.publisher}/${APP.name}`);
    await dialog.getByRole("button", { name: "Uninstall" }).click();
    await expect(page.getByText("Uninstalled", { exact: true }).first()).toBeVisible({ timeout: 60_000 });
    const [refused] = await north.stream().end();
    expect([404, 409]).toContain(refused?.status);
    expect(await oneAnswer(south)).toMatchObject({ channel: SOUTH.value });
  });

  async function launch({ slug, value }: typeof NORTH): Promise<Launched> {
    const page = await givenOrganization(browser, platform, slug);
    const { tenantId, credential } = await givenTenant(page, platform, core, slug);
    const { versionId } = await findVersion(platform, APP.name);
    const secret = canary(`the secret of ${slug}`);
    const settings = { channel: value, secret };
    const id = await givenInstallation(page, platform, {
      ...{ versionId, tenantId, settings },
      mapping: { vin: "$.vehicle.vin" },
    });
    await expectRunning(page);
    const shown = await page.request.get(`${platform.webUrl}/api/installations/${id}`);
    const { routes }: { routes: { kind: string; address: string }[] } = await shown.json();
    const address = routes.find(({ kind }) => kind === "autofill")?.address ?? "";
    return {
      page,
      id,
      secret,
      stream: (payload = {}) =>
        streamCalls(address, credential, { operation: "newBusiness.create", ...payload }, 2),
    };
  }

  async function openConfigure({ page, id }: Launched): Promise<void> {
    await open(page, `${platform.webUrl}/installations/${id}/configure`);
  }

  async function configure(launched: Launched, change: (page: Page) => Promise<unknown>): Promise<void> {
    await openConfigure(launched);
    await change(launched.page);
    await save(launched.page);
  }

  async function openUpgrade({ page, id }: Launched, to: string): Promise<void> {
    await open(page, `${platform.webUrl}/installations/${id}`);
    await expect(page.getByText(`Version ${to} is available`)).toBeVisible();
    await page.getByRole("link", { name: "Review changes" }).first().click();
    await expect(page).toHaveURL(/\/upgrade/);
    await hydrated(page);
  }
});

/** A save is checked by the app and followed by a page with all that the installation has, while calls go on. */
const SAVED = { timeout: 60_000 };

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/installations\/[0-9a-f-]{36}$/, SAVED);
  await expect(page.getByText(/Revision \d+ saved/)).toBeVisible(SAVED);
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(label) }).click();
  await page.getByRole("option", { name: option }).click();
}

async function pick(page: Page, secret: string, choice: "Keep" | "Replace" | "Clear"): Promise<void> {
  const group = page.getByRole("radiogroup", { name: new RegExp(`^${secret}`) });
  await group.getByRole("radio", { name: choice }).check({ force: true });
}

async function replaceSecret(page: Page, title: string, value: string): Promise<void> {
  await pick(page, title, "Replace");
  await page.getByRole("textbox", { name: `New value of ${title}` }).fill(value);
}

function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex").slice(0, 12);
}

/** Waits until each stream has finished this many more calls. */
async function untilMore(streams: readonly CallStream[], more: number): Promise<void> {
  const wanted = streams.map((stream) => stream.count() + more);
  await expect
    .poll(() => streams.every((stream, at) => stream.count() >= (wanted[at] ?? 0)), { timeout: 30_000 })
    .toBe(true);
}

function expectAllServed(calls: readonly StreamedCall[]): void {
  const failed = calls.filter(({ status }) => status !== 200);
  expect(failed.map(({ status, answer }) => `${status} ${answer.detail}`)).toEqual([]);
}

async function oneAnswer(launched: Launched) {
  const [call] = await launched.stream().end();
  if (call === undefined) throw new Error("There was no call.");
  expect(call.status, JSON.stringify(call.answer)).toBe(200);
  return call.answer;
}
