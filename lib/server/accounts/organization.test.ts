import { expect, test } from "vitest";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { changeSettings, readSettings } from "./organization";

const platform = await testPlatform();

const listAudit = async () =>
  (await platform.pool.query("select action, chain, details from audit order by position")).rows;

// Guarantee: payloads and answers of production calls are stored only if an owner turned it on, which is recorded in
// the audit trail.
test("recording is off until it is turned on, for this organization alone, and each change is audited", async () => {
  const [owner, other] = [await givenMember(platform, "acme"), await givenMember(platform, "harbor")];
  expect(await readSettings(platform, owner)).toEqual({ recordBodies: false });
  await changeSettings(platform, owner, { recordBodies: true });
  await changeSettings(platform, owner, { recordBodies: true });
  expect(await readSettings(platform, owner)).toEqual({ recordBodies: true });
  expect(await readSettings(platform, other)).toEqual({ recordBodies: false });
  await changeSettings(platform, owner, { recordBodies: false });
  const entry = { action: "organization.change-settings", chain: owner.organization.id };
  expect(await listAudit()).toEqual([
    { ...entry, details: { recordBodies: true } },
    { ...entry, details: { recordBodies: false } },
  ]);
});
