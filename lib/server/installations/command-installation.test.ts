import { v7 } from "uuid";
import { expect, test } from "vitest";
import { givenInstalledApp, givenMember, testPlatform } from "@/tests/test-platform";
import { verifyAudit } from "../platform/verify-audit";
import { commandInstallation } from "./command-installation";

const platform = await testPlatform();

async function givenRunning(test = false) {
  const { customer: owner, installation } = await givenInstalledApp(platform);
  await platform.pool.query("update installations set test = $1 where id = $2", [test, installation.id]);
  return { owner, installation };
}

async function readCurrentState(id: string) {
  const { rows } = await platform.pool.query<{ state: string }>(
    "select state from installations where id = $1",
    [id],
  );
  return rows[0]?.state;
}

// Guarantee: a command moves the state and writes its audit row in the same transaction.
test("an operator stops a running installation", async () => {
  const { installation } = await givenRunning();
  const operator = await givenMember(platform, "harbor", "operator");
  await commandInstallation(platform, operator, installation.id, "stop");
  expect(await readCurrentState(installation.id)).toBe("STOPPING");
  expect(await verifyAudit(platform, operator.organization.id)).toEqual({ intact: true, rows: 1 });
  await expect(commandInstallation(platform, operator, installation.id, "stop")).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
});

// Guarantee: publishers can only command their own Test Launches.
test("a publisher can only command a Test Launch", async () => {
  const regular = await givenRunning();
  const publisher = await givenMember(platform, "harbor", "publisher");
  const refused = commandInstallation(platform, publisher, regular.installation.id, "uninstall");
  await expect(refused).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  expect(await readCurrentState(regular.installation.id)).toBe("RUNNING");

  await platform.pool.query("update installations set test = true");
  await commandInstallation(platform, publisher, regular.installation.id, "uninstall");
  expect(await readCurrentState(regular.installation.id)).toBe("UNINSTALLING");
});

// Guarantee: foreign and absent installations look the same.
test("another organization's installation is not found", async () => {
  const { installation } = await givenRunning();
  const stranger = await givenMember(platform, "stranger");
  for (const id of [installation.id, v7(), "not-an-id"]) {
    await expect(commandInstallation(platform, stranger, id, "stop")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
  expect(await readCurrentState(installation.id)).toBe("RUNNING");
});
