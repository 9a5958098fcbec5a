/**
 * What an app may do: declared in the editor, agreed to at the launch, enforced in its container, seen by everyone, asked again when it
 * becomes more, and proposed to become less. Nothing is faked but the days that pass.
 */
import type { Page } from "@playwright/test";
import { openEditor, storedDraft } from "./editor";
import { expect, hydrated, open, test } from "./fixtures";
import {
  findVersion,
  givenApiKey,
  givenListing,
  givenOrganization,
  givenTenant,
  givenVerified,
} from "./given";
import { followNotification } from "./moderation";
import { canary } from "./record-traffic";
import { queryDatabase } from "./start-platform";
import { answerWizard, coreFor, expectRunning, installationIdFromUrl, publishEcho } from "./workflows";

const stamp = Date.now().toString(36);
const APP = { publisher: `asker-${stamp}`, name: `asking-${stamp}`, title: `Asking ${stamp}` };
const CUSTOMER = `agreer-${stamp}`;
/** Names that exist nowhere. */
const nameHost = (name: string) => `${name}-${stamp}.example`;
const USED = nameHost("vin");
const UNUSED = nameHost("rates");
const LATER = nameHost("maps");
const UNDECLARED = nameHost("tracker");
const NO_SUCH_NAME = /ENOTFOUND|EAI_AGAIN/;
/** Of refused attempts, from which on a publisher is notified. */
const REPEATED = 3;
/** More than a host must be watched before it counts as unused. */
const DAYS = 15;
/** The guard reports each second, and waits for name servers that don't answer. */
const COUNTED = { timeout: 60_000 };

const core = coreFor(CUSTOMER);

test("an app does what its customers agreed to, and no more", async ({ platform, browser }) => {
  test.setTimeout(600_000);
  const { webUrl } = platform;
  const publisher = await givenOrganization(browser, platform, APP.publisher);
  await givenListing(publisher, platform, APP);
  await publishEcho(platform, APP, await givenApiKey(publisher, platform));
  const verify = () => givenVerified(browser, platform, publisher, APP);

  await test.step("the publisher declares a permission and two hosts in the editor, each with its purpose, and releases them", async () => {
    await openEditor(publisher, platform, APP.name);
    await declare(publisher, "Permission", { Name: "policies:read", Purpose: "Reads the vehicle" });
    await declare(publisher, "Host", { Host: USED, Purpose: "Decodes VINs" });
    await declare(publisher, "Host", { Host: UNUSED, Purpose: "Compares rates" });
    await release(publisher, "1.2.0", [
      'Permission "policies:read": added',
      `Host "${USED}": added`,
      `Host "${UNUSED}": added`,
    ]);
    await verify();
  });

  const customer = await givenOrganization(browser, platform, CUSTOMER);
  const { credential } = await givenTenant(customer, platform, core, CUSTOMER);
  let installation = "";

  await test.step("the customer reads what the app may do, and agrees by launching it", async () => {
    await open(customer, `${webUrl}/launch/${APP.publisher}/${APP.name}`);
    const secret = canary("the secret of the agreeing customer");
    await answerWizard(customer, { channel: "Broker desk", secret, path: "$.vehicle.vin" });
    await expect(customer.getByRole("heading", { name: "What this app may do" })).toBeVisible();
    await expect(customer.getByText("By launching the app, you agree to this.")).toBeVisible();
    for (const [right, purpose] of [
      ["Use policies:read in your core", "Reads the vehicle"],
      [`Connect to ${USED}`, "Decodes VINs"],
      [`Connect to ${UNUSED}`, "Compares rates"],
    ] as const)
      await expect(customer.getByRole("listitem").filter({ hasText: right })).toContainText(purpose);
    await expect(customer.getByText("The platform blocks connections to all other hosts.")).toBeVisible();
    await customer.getByRole("button", { name: "Launch", exact: true }).click();
    await expectRunning(customer);
    installation = installationIdFromUrl(customer);
  });

  await test.step("in its container, it gets that permission, and finds no host but those", async () => {
    for (let call = 0; call < REPEATED; call += 1) {
      const { scope, reached } = await callApp([USED, UNDECLARED]);
      expect(scope).toBe("policies:read");
      expect(reached[UNDECLARED]).toMatch(NO_SUCH_NAME);
      // The guard leads it there. Whether somebody answers is up to the world.
      expect(reached[USED]).not.toMatch(NO_SUCH_NAME);
    }
    await expect.poll(() => listTried(), COUNTED).toEqual([UNDECLARED, USED].sort());
  });

  await test.step("the publisher sees why in the log, beside the metrics, and in a notification", async () => {
    await open(publisher, `${webUrl}/publish/${APP.name}/logs`);
    const lines = publisher.getByRole("log", { name: "Log lines" });
    const why = `A connection to ${UNDECLARED} was refused: it is not a host that the app may connect to.`;
    await expect(lines).toContainText(why);
    await expect(lines).toContainText(`add this to core.hosts of the manifest: {"host":"${UNDECLARED}"`);
    const told = "select title from notifications where kind = 'refused-host' and title like $1";
    await expect
      .poll(() => queryDatabase(platform, told, [`%${UNDECLARED}`]), COUNTED)
      .toContainEqual({ title: `${APP.title} 1.2.0 can't connect to ${UNDECLARED}` });
    await followNotification(publisher, platform, new RegExp(`can't connect to ${UNDECLARED}`));
    await expect(publisher).toHaveURL(`${webUrl}/publish/${APP.name}/metrics#egress`);
    const row = publisher
      .getByRole("table", { name: "Where it sends data" })
      .getByRole("row")
      .filter({ hasText: UNDECLARED });
    await expect(row).toContainText("Not declared");
    await expect(row).toContainText("Refused: it is not a host that the app may connect to.");
  });

  await test.step("the customer sees where the app sends data, and no name that may be another customer's", async () => {
    await open(customer, `${webUrl}/installations/${installation}`);
    const table = customer.getByRole("table", { name: "Where this app sends data" });
    for (const [host, purpose] of [
      [USED, "Decodes VINs"],
      [UNUSED, "Compares rates"],
    ] as const)
      await expect(table.getByRole("row").filter({ hasText: host })).toContainText(purpose);
    await expect(customer.getByRole("main")).not.toContainText(UNDECLARED);
  });

  await test.step("a version with one more host waits until the customer agrees to it", async () => {
    await openEditor(publisher, platform, APP.name);
    await declare(publisher, "Host", { Host: LATER, Purpose: "Shows the garage" });
    await release(publisher, "1.3.0", [`Host "${LATER}": added`]);
    await verify();
    await open(customer, `${webUrl}/installations/${installation}`);
    await expect(customer.getByText("Version 1.3.0 is available")).toBeVisible();
    expect(await quickUpgrade()).toEqual({
      ready: null,
      why: "It asks for more rights than you agreed to. Open its upgrade page.",
    });
    await customer.getByRole("link", { name: "Review changes" }).first().click();
    await expect(customer).toHaveURL(/\/upgrade/);
    await hydrated(customer);
    await expect(customer.getByRole("heading", { name: "It asks for more" })).toBeVisible();
    const asked = customer.getByRole("listitem").filter({ hasText: `Connect to ${LATER}` });
    await expect(asked).toContainText("Shows the garage");
    const upgrade = customer.getByRole("button", { name: "Upgrade to 1.3.0" });
    await upgrade.click();
    await expect(customer.getByText(/^Agree to what the new version may do/).first()).toBeVisible();
    expect(await readNumber()).toBe("1.2.0");
    await customer.getByText("I agree for my organization").click();
    await upgrade.click();
    await expect(customer).toHaveURL(new RegExp(`/installations/${installation}$`));
    await expect(customer.getByRole("link", { name: "Roll back to 1.2.0" })).toBeVisible({
      timeout: 120_000,
    });
    expect(await readNumber()).toBe("1.3.0");
  });

  await test.step("after some weeks, hosts that the app never used are proposed to be left out, and one click does it", async () => {
    await passDays();
    await open(publisher, `${webUrl}/publish/${APP.name}/metrics`);
    await expect(publisher.getByText("Declared 3 hosts, used 1 in 90 days")).toBeVisible();
    await publisher.getByRole("link", { name: "Remove them in the editor" }).click();
    await expect(publisher.getByText(/^Removed 2 hosts that the app did not use\./).first()).toBeVisible();
    await expect(publisher).toHaveURL(`${webUrl}/publish/${APP.name}/manifest`);
    const readHosts = async () => JSON.parse(await storedDraft(platform, publisher, APP.name)).core.hosts;
    await expect.poll(readHosts).toEqual([{ host: USED, purpose: "Decodes VINs" }]);
    await release(publisher, "1.4.0", [`Host "${UNUSED}": removed`, `Host "${LATER}": removed`]);
    await verify();
  });

  await test.step("less is no question: the customer can upgrade at once, and reads what the app gave up", async () => {
    expect(await quickUpgrade()).toMatchObject({ ready: { to: "1.4.0" }, why: null });
    await open(customer, `${webUrl}/installations/${installation}`);
    const table = customer.getByRole("table", { name: "Where this app sends data" });
    const unused = table.getByRole("row").filter({ hasText: LATER });
    await expect(unused).toContainText("Not used");
    await expect(table.getByRole("row").filter({ hasText: USED })).not.toContainText("Not used");
    await customer.getByRole("link", { name: "Review changes" }).first().click();
    await expect(customer.getByRole("heading", { name: "It asks for less" })).toBeVisible();
    await expect(customer.getByText("1.4.0 no longer asks for")).toContainText(LATER);
  });

  /** The core calls the app, which tries these hosts. */
  async function callApp(reach: string[]): Promise<{ scope: string; reached: Record<string, string> }> {
    const { routes }: { routes: { kind: string; address: string }[] } = await readInstallation();
    const answer = await fetch(routes.find(({ kind }) => kind === "autofill")?.address ?? "", {
      method: "POST",
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      body: JSON.stringify({ operation: "newBusiness.create", reach }),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  }

  async function readInstallation() {
    const answer = await customer.request.get(`${webUrl}/api/installations/${installation}`);
    expect(answer.ok()).toBe(true);
    return answer.json();
  }

  async function readNumber(): Promise<string | undefined> {
    const found = await queryDatabase(
      platform,
      "select v.number from installations i join versions v on v.id = i.version_id where i.id = $1",
      [installation],
    );
    return found[0]?.number;
  }

  async function quickUpgrade(): Promise<unknown> {
    return (await customer.request.get(`${webUrl}/api/installations/${installation}/upgrade`)).json();
  }

  /** The hosts of which the guard counted something. */
  async function listTried(): Promise<(string | undefined)[]> {
    const { listingId } = await findVersion(platform, APP.name);
    const rows = await queryDatabase(
      platform,
      "select distinct d.host from egress_days d join versions v on v.id = d.version_id where v.listing_id = $1 order by 1",
      [listingId],
    );
    return rows.map(({ host }) => host);
  }

  /** As if its versions had run for some weeks, and its provider had answered on the last day. */
  async function passDays(): Promise<void> {
    const { listingId, versionId } = await findVersion(platform, APP.name);
    const days = "(now() at time zone 'UTC')::date - n";
    await queryDatabase(
      platform,
      `insert into egress_watches (version_id, day)
       select v.id, ${days} from versions v, generate_series(0, ${DAYS}) n where v.listing_id = $1 on conflict do nothing`,
      [listingId],
    );
    await queryDatabase(
      platform,
      `insert into egress_days (version_id, day, host, connections, bytes_out, bytes_in, first_at, last_at)
       select $1, ${days}, $2, 40, 9000, 120000, now() - interval '1 day', now() - interval '1 day' from generate_series(1, 1) n`,
      [versionId, USED],
    );
  }
});

/** Adds an entry at the end of its list. The inspector shows it when it has no purpose. */
async function declare(
  page: Page,
  what: "Permission" | "Host",
  members: Record<string, string>,
): Promise<void> {
  await page.getByRole("button", { name: `Add ${what}`, exact: true }).click();
  const inspector = page.getByRole("region", { name: "Inspector" });
  await expect(inspector.getByRole("textbox", { name: "Purpose" })).toHaveValue("");
  for (const [label, text] of Object.entries(members))
    await inspector.getByRole("textbox", { name: label, exact: true }).fill(text);
}

async function release(page: Page, number: string, changes: readonly string[]): Promise<void> {
  await expect(page.getByText(/^Saved /)).toBeVisible();
  await page.getByRole("button", { name: "Release", exact: true }).click();
  const dialog = page.getByRole("dialog");
  for (const change of changes) await expect(dialog.getByText(change)).toBeVisible();
  await dialog.getByRole("button", { name: `Release ${number}` }).click();
  await expect(page.getByText(`Released as version ${number}`).first()).toBeVisible();
}
