/** The customer's pages in every state that they have, at phone and desktop width, in both themes. */
import type { Page } from "@playwright/test";
import pg from "pg";
import { expect, open, signInAs, test } from "./fixtures";
import { checkPageInAllThemes, collectConsoleErrors } from "./accessibility";
import { readDatabaseUrl, type RunningPlatform } from "./start-platform";

const APP = "telematics-rater";

test("the launch wizard is in order at each step", async ({ platform, page }) => {
  test.setTimeout(300_000);
  await signInAs(page, platform.webUrl, "alpine@demo.example");
  const complaints = collectConsoleErrors(page);
  await open(page, `${platform.webUrl}/launch/acme/vin-autofill`);
  await page.getByRole("radio", { name: /Production/ }).check({ force: true });
  await checkPageInAllThemes(page, "wizard tenant");
  await go(page, "Continue");
  await go(page, "Continue");
  await expect(page.getByText(/^Fix \d+ problem/).first()).toBeVisible();
  await checkPageInAllThemes(page, "wizard configure with issues");
  await page.getByRole("button", { name: /Region/ }).click();
  await page.getByRole("option", { name: "Europe" }).click();
  const names = page.getByRole("switch", { name: /names/i });
  await names.check({ force: true });
  await checkPageInAllThemes(page, "wizard configure with names");
  await names.uncheck({ force: true });
  await go(page, "Continue");
  await page.getByRole("button", { name: /^Pick/ }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await checkPageInAllThemes(page, "wizard mapping picker");
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: /VIN/ }).first().fill("$.car[");
  await checkPageInAllThemes(page, "wizard mapping invalid");
  await page.getByRole("textbox", { name: /VIN/ }).first().fill("$.nowhere");
  await checkPageInAllThemes(page, "wizard mapping not in the schema");
  await page.reload();
  await expect(page.getByText("Draft restored")).toBeVisible();
  await checkPageInAllThemes(page, "wizard draft restored");
  // The notice comes before the step, which has a button with the same name.
  await page.getByRole("button", { name: "Continue" }).first().click();
  for (const [product, vin] of [
    ["Motorcycle", "$.motorcycle.chassisNumber"],
    ["Private Motor", "$.car.chassisNumber"],
  ] as const) {
    await expect(page.getByRole("form", { name: new RegExp(product) })).toBeVisible();
    await page.getByRole("textbox", { name: /VIN/ }).fill(vin);
    await expect(page.getByText(/In the sample/)).toBeVisible();
    await go(page, "Continue");
  }
  await expect(page.getByRole("button", { name: "Launch", exact: true })).toBeVisible();
  await checkPageInAllThemes(page, "wizard review");
  expect(complaints).toEqual([]);
});

test("an installation is in order in each of its states", async ({ platform, page }) => {
  test.setTimeout(300_000);
  await signInAs(page, platform.webUrl, "alpine@demo.example");
  const complaints = collectConsoleErrors(page);
  const id = await installationOf(platform, "alpine-insurance", "policy-webhook");
  for (const [state, reason] of [
    ["RUNNING", null],
    ["ERROR", "The start hook failed. It answered 500. The app said: no licence for this tenant"],
    ["STOPPED", null],
    ["UNINSTALLED", null],
  ] as const) {
    await query(platform, "update installations set state = $2, reason = $3 where id = $1", [
      id,
      state,
      reason,
    ]);
    await open(page, `${platform.webUrl}/installations/${id}`);
    await checkPageInAllThemes(page, `installation ${state}`);
  }
  await query(platform, "update installations set state = 'RUNNING', reason = null where id = $1", [id]);
  await open(page, `${platform.webUrl}/installations/${id}`);
  await page.getByRole("button", { name: "Uninstall" }).click();
  await checkPageInAllThemes(page, "installation uninstall");
  expect(complaints).toEqual([]);
});

test("configuring and its history are in order", async ({ platform, page }) => {
  test.setTimeout(300_000);
  await signInAs(page, platform.webUrl, "alpine@demo.example");
  const complaints = collectConsoleErrors(page);
  const id = await installationOf(platform, "alpine-insurance", "vin-autofill");
  const address = `${platform.webUrl}/installations/${id}`;
  await open(page, `${address}/configure`);
  await checkPageInAllThemes(page, "configure as it is");
  for (const choice of ["Clear", "Replace"] as const) {
    await page.getByRole("radio", { name: choice }).first().check({ force: true });
    await checkPageInAllThemes(page, `configure ${choice}`);
  }
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await checkPageInAllThemes(page, "configure with issues");
  await page.getByRole("radio", { name: "Keep" }).first().check({ force: true });
  await page.getByRole("textbox", { name: "Greeting" }).fill("Mine");
  // Somebody else saves meanwhile.
  const session = page.context().request;
  const { revision }: { revision: number } = await (
    await session.get(`${platform.webUrl}/api/installations/${id}/configuration`)
  ).json();
  const theirs = await session.put(`${platform.webUrl}/api/installations/${id}/configuration`, {
    headers: { origin: platform.webUrl },
    data: { revision, settings: { greeting: { action: "set", value: "Theirs" } }, mappings: {} },
  });
  expect(theirs.status()).toBe(200);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("in the meantime");
  await checkPageInAllThemes(page, "configure conflict");
  await open(page, `${address}/history`);
  await checkPageInAllThemes(page, "history revisions");
  await page.getByRole("button", { name: "Restore" }).first().click();
  await checkPageInAllThemes(page, "history restore");
  await open(page, `${address}/history?view=secrets`);
  await checkPageInAllThemes(page, "history secrets");
  // The stale save is a 409, which the console notes.
  expect(complaints.filter((complaint) => !complaint.includes("409"))).toEqual([]);
});

test("upgrading is in order, from what changes to what failed", async ({ platform, page }) => {
  test.setTimeout(300_000);
  const versionId = await releaseNext(platform);
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  const complaints = collectConsoleErrors(page);
  const id = await installationOf(platform, "harbor-mutual", APP);
  const address = `${platform.webUrl}/installations/${id}`;
  await open(page, address);
  await expect(page.getByText("Version 1.1.0 is available")).toBeVisible();
  await checkPageInAllThemes(page, "installation with an upgrade");
  await open(page, `${address}/upgrade`);
  await checkPageInAllThemes(page, "upgrade asks");
  await page.getByRole("button", { name: "Upgrade to 1.1.0" }).click();
  await checkPageInAllThemes(page, "upgrade with issues");
  for (const [state, reason] of [
    ["STARTING", null],
    ["DRAINING", null],
    ["FAILED", "The app exited with code 3 before GET /health answered 200."],
  ] as const) {
    await query(platform, "delete from upgrades where installation_id = $1", [id]);
    await query(
      platform,
      `insert into upgrades (id, installation_id, from_version_id, to_version_id, from_revision, to_revision, state, reason,
                             created_by, leased_until, ended_at)
       select gen_random_uuid(), i.id, i.version_id, $2, i.revision, i.revision + 1, $3::upgrade_state, $4, i.created_by,
              now() + interval '10 minutes', case when $3 = 'FAILED' then now() end from installations i where i.id = $1`,
      [id, versionId, state, reason],
    );
    await open(page, address);
    await checkPageInAllThemes(page, `installation upgrade ${state}`);
  }
  await query(platform, "delete from upgrades where installation_id = $1", [id]);
  expect(complaints).toEqual([]);
});

test("tenants are in order", async ({ platform, page }) => {
  test.setTimeout(300_000);
  await signInAs(page, platform.webUrl, "harbor@demo.example");
  const complaints = collectConsoleErrors(page);
  await open(page, `${platform.webUrl}/tenants`);
  await page
    .getByRole("link", { name: /Production/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/tenants\/[0-9a-f-]{36}/);
  await checkPageInAllThemes(page, "tenant");
  await page.getByRole("button", { name: /^Test/ }).first().click();
  await expect(page.getByText(/Products|products/).first()).toBeVisible();
  await checkPageInAllThemes(page, "tenant tested");
  await page.getByRole("button", { name: /^Edit/ }).first().click();
  await checkPageInAllThemes(page, "tenant edited");
  expect(complaints).toEqual([]);
});

async function go(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
}

async function query(platform: RunningPlatform, text: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: await readDatabaseUrl(platform) });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function installationOf(platform: RunningPlatform, slug: string, app: string): Promise<string> {
  const [found] = await query(
    platform,
    `select i.id from installations i join organizations o on o.id = i.organization_id
       join listings l on l.id = i.listing_id where o.slug = $1 and l.app_name = $2 and not i.test`,
    [slug, app],
  );
  return found?.id ?? "";
}

/** A verified version 1.1.0 of the rater on the same image: another title, a secret that is needed now, and a new choice. */
async function releaseNext(platform: RunningPlatform): Promise<string> {
  const [version] = await query(
    platform,
    "select v.id, v.manifest::text as text from versions v join listings l on l.id = v.listing_id where l.app_name = $1",
    [APP],
  );
  const manifest = JSON.parse(version?.text ?? "");
  manifest.version = "1.1.0";
  manifest.app.fields[0].title = "Factor";
  manifest.app.fields[2].required = true;
  manifest.app.fields.push({ name: "branch", title: "Branch", type: "Text", hint: "Where it is asked for" });
  const [released] = await query(
    platform,
    `insert into versions (id, listing_id, number, manifest, manifest_text, bundle_kind, image_digest, archive_digest,
                           archive_bytes, published_by, verified_at)
     select gen_random_uuid(), listing_id, '1.1.0', $2::jsonb, $2, bundle_kind, image_digest, archive_digest, archive_bytes,
            published_by, now() from versions where id = $1 returning id`,
    [version?.id, JSON.stringify(manifest)],
  );
  return released?.id ?? "";
}
