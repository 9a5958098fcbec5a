import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { beforeEach, expect, test } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance, type Received } from "@/tests/fake-app";
import {
  givenInstallation,
  givenInstalledApp,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { changeSettings } from "../../accounts/organization";
import { revealWebhookSecrets, rotateWebhookSecret } from "../../installations/webhook-secrets";
import { deriveKey, newMasterKey } from "../../platform/keyring";
import { acceptEvent } from "./accept-event";
import { replayDeliveries } from "./replay-deliveries";
import { serveWebhookSecrets, storeSecret } from "./webhook-secrets";

const platform = await testPlatform({
  PLATFORM_MASTER_KEYS: `${newMasterKey("new")},${newMasterKey("old")}`,
});

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const { publisher, customer, version, tenant, installation } = await givenInstalledApp(platform);
  const { app } = await givenInstance(platform, version.id, (response) => void response.writeHead(204).end());
  await changeSettings(platform, customer, { recordBodies: true });
  const id = installation.id;
  // As a launch does.
  await storeSecret(platform, platform.db, { organizationId: customer.organization.id, installationId: id });
  let sent = 0;
  /** What the app receives for one more event. */
  const deliver = async (): Promise<Received> => {
    sent += 1;
    const event = { id: `e${sent}`, type: "policy.issued", timestamp: 0, data: { policy: "P–1 ü" } };
    await acceptEvent(platform, tenant.id, event);
    // A process signs for up to a second with what it read.
    await sleep(1_050);
    await sendDueDeliveries(platform);
    expect((await platform.db.select().from(deliveries)).every(({ state }) => state === "DELIVERED")).toBe(
      true,
    );
    expect(app.received).toHaveLength(sent);
    return one(app.received.slice(-1));
  };
  const reveal = async () =>
    (await revealWebhookSecrets(platform, customer, id)).secrets.map(({ secret }) => secret);
  return { publisher, customer, tenant, id, app, deliver, reveal };
}

/** As a receiver verifies: with the package of Standard Webhooks. */
function accepts(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, {
      "webhook-id": String(headers["webhook-id"]),
      "webhook-timestamp": String(headers["webhook-timestamp"]),
      "webhook-signature": String(headers["webhook-signature"]),
    });
    return true;
  } catch {
    return false;
  }
}

// Guarantee: every delivery verifies with the library of Standard Webhooks, before, during and after a rotation.
test("deliveries verify with the installation's secret, with either during a rotation", async () => {
  const [first = ""] = await world.reveal();
  expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const before = await world.deliver();
  expect(accepts(first, before)).toBe(true);
  expect(accepts(first, { ...before, body: before.body.replace("P–1", "P–2") })).toBe(false);

  await rotateWebhookSecret(platform, world.customer, world.id, "24h");
  const [second = "", still] = await world.reveal();
  expect(still).toBe(first);
  const during = await world.deliver();
  expect([accepts(first, during), accepts(second, during)]).toEqual([true, true]);
  expect(String(during.headers["webhook-signature"]).split(" ")).toHaveLength(2);

  await platform.pool.query("update webhook_secrets set expires_at = expires_at - interval '24 hours'");
  const after = await world.deliver();
  expect([accepts(first, after), accepts(second, after)]).toEqual([false, true]);
  expect(await world.reveal()).toEqual([second]);
});

// Guarantee: an app gets the secrets with any live state key, and with no other.
test("the app reads the secrets of its call's installation with its state key", async () => {
  const { headers } = await world.deliver();
  const key = String(headers["x-platform-key"]);
  expect(await serveWebhookSecrets(platform, key)).toEqual({ secrets: await world.reveal() });
  await platform.pool.query("update installations set key_epoch = key_epoch + 1");
  for (const dead of [key, "psk_unknown", ""])
    await expect(serveWebhookSecrets(platform, dead)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a rotation without overlap ends the earlier secrets within a second", async () => {
  const [first = ""] = await world.reveal();
  await rotateWebhookSecret(platform, world.customer, world.id, "now");
  const [second = "", ...others] = await world.reveal();
  expect(others).toEqual([]);
  const received = await world.deliver();
  expect([accepts(first, received), accepts(second, received)]).toEqual([false, true]);
});

// Guarantee: a replay is signed with the secrets of now, not with those of its first attempt, and has a key of its own.
test("a delivery that is replayed after a rotation verifies with the new secret, under the same id", async () => {
  const first = await world.deliver();
  await rotateWebhookSecret(platform, world.customer, world.id, "now");
  const [secret = ""] = await world.reveal();
  const [sent] = await platform.db.select().from(deliveries);
  await replayDeliveries(platform, world.customer, { deliveryIds: [sent?.id ?? ""], delivered: true });
  await sleep(1_050);
  await sendDueDeliveries(platform);
  const again = one(world.app.received.slice(1));
  expect(accepts(secret, again)).toBe(true);
  expect(again.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
  expect(again.headers["x-platform-key"]).not.toBe(first.headers["x-platform-key"]);
});

// Guarantee: an update breaks no receiver: the secrets of an earlier release keep signing.
test("the derived secret of an earlier release becomes the stored one, with a day for other master keys", async () => {
  await platform.pool.query("delete from webhook_secrets");
  const secrets = [...platform.keyring.byId.values()].map(
    (master) => `whsec_${deriveKey(master, `webhook/${world.id}`).toString("base64")}`,
  );
  const received = await world.deliver();
  expect(secrets.map((secret) => accepts(secret, received))).toEqual([true, true]);
  expect(await Promise.all([world.reveal(), world.reveal()])).toEqual([secrets, secrets]);
  await rotateWebhookSecret(platform, world.customer, world.id, "1h");
  expect((await world.reveal()).slice(1)).toEqual(expect.arrayContaining(secrets));
});

// Guarantee (P3): an app that writes its webhook secret leaves it in no record.
test("an answer that contains the webhook secret is stored without it", async () => {
  const [secret = ""] = await world.reveal();
  world.app.respond = (response) => void response.end(JSON.stringify({ echoed: secret }));
  await world.deliver();
  const { rows } = await platform.pool.query<{ answer: string }>("select answer from attempts");
  expect(rows).toEqual([{ answer: '{"echoed":"[secret: webhook-secret]"}' }]);
});

// Guarantee (P12): a sealed secret opens in its own row and organization only.
test.each(["another row", "another installation", "another organization"])(
  "moved to %s, a secret signs nothing",
  async (where) => {
    await world.reveal();
    const other = await givenMember(platform, "other");
    const { version } = await givenListing(platform, other, { appName: "other" });
    const { tenant } = await givenTenant(platform, other);
    const { installation } = await givenInstallation(platform, other, version, tenant.id);
    // So that the other organization has a data key.
    await revealWebhookSecrets(platform, other, installation.id);
    const query = (text: string, values: string[]) => platform.pool.query(text, values);
    if (where === "another row") await query("update webhook_secrets set id = gen_random_uuid()", []);
    if (where === "another installation")
      await query(
        "update webhook_secrets s set sealed = o.sealed from webhook_secrets o where s.installation_id = $1 and o.installation_id = $2",
        [installation.id, world.id],
      );
    if (where === "another organization")
      await query("update installations set organization_id = $1 where id = $2", [
        other.organization.id,
        world.id,
      ]);
    const [member, id] =
      where === "another row"
        ? [world.customer, world.id]
        : [other, where === "another installation" ? installation.id : world.id];
    await expect(revealWebhookSecrets(platform, member, id)).rejects.toThrow(/authenticate/);
  },
);

// Guarantee: only people who operate the installation can see a secret, and each reveal is recorded.
test("only the installation's organization reveals it, publishers only for Test Launches, and it is audited", async () => {
  const secrets = await world.reveal();
  const stranger = await givenMember(platform, "alpine");
  const employee = await givenMember(platform, "harbor", "publisher");
  for (const [member, code] of [
    [stranger, "NOT_FOUND"],
    [world.publisher, "NOT_FOUND"],
    [employee, "NOT_ALLOWED"],
  ] as const) {
    await expect(revealWebhookSecrets(platform, member, world.id)).rejects.toMatchObject({ code });
    await expect(rotateWebhookSecret(platform, member, world.id, "24h")).rejects.toMatchObject({ code });
  }
  expect(await world.reveal()).toEqual(secrets);
  await platform.pool.query("update installations set test = true");
  await revealWebhookSecrets(platform, employee, world.id);
  const { rows } = await platform.pool.query<{ actor: string }>(
    "select actor, details from audit where action = 'webhook-secret.reveal' order by position",
  );
  expect(rows.map(({ actor }) => actor)).toEqual([
    `user:${world.customer.userId}`,
    `user:${world.customer.userId}`,
    `user:${employee.userId}`,
  ]);
  expect(JSON.stringify(rows)).not.toContain("whsec_");
});
