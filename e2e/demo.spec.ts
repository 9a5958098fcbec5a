/** What a visitor sees after `npm start`, with and without containers. */
import Docker from "dockerode";
import type { Page } from "@playwright/test";
import { expect, open, openTab, signInAs, test } from "./fixtures";
import { DEMO_SECRETS, readOutput, startPlatform, waitForDemo } from "./start-platform";

/** Sends a test call of the demo customer. Only the state can have given the app what it returns. */
async function sendAutofill(page: Page, webUrl: string): Promise<void> {
  await signInAs(page, webUrl, "harbor@demo.example");
  await open(page, `${webUrl}/installations`);
  await page.getByRole("link", { name: /VIN autofill/ }).click();
  await expect(page).toHaveURL(/installations\/[0-9a-f-]{36}/);
  await expect(page.getByText("Running", { exact: true })).toBeVisible({ timeout: 90_000 });
  await openTab(page, "Calls");
  await page.getByRole("button", { name: "Open console" }).click();
  await page.getByRole("button", { name: "Send test call" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await expect(result).toContainText('"make": "Honda"');
  // From the settings in the state record:
  await expect(result).toContainText("Ahoy from Harbor Mutual");
  // From the core, with the token of the state record:
  await expect(result).toContainText('"policyHolder"');
  await expect(result).toContainText(/The app read its state once.*\d+ ms after it was sent/);
  await expect(result).toContainText("It read revision 1");
}

test("a visitor sends an autofill call and sees the app's answer", async ({ platform, page }) => {
  await waitForDemo(platform);
  await sendAutofill(page, platform.webUrl);
});

test("the demo's containers are hardened and contain no secret", async ({ platform }) => {
  const docker = new Docker();
  const reachable = await docker.ping().then(
    () => true,
    () => false,
  );
  test.skip(!reachable, "no container engine is reachable on this machine");
  await waitForDemo(platform);
  expect(readOutput(platform)).toContain("isolated");

  const all = await docker.listContainers();
  const ours = all.filter((container) => container.Names.some((name) => name.startsWith("/platform-")));
  expect(ours.length).toBeGreaterThanOrEqual(3);
  for (const { Id } of ours) {
    const inspected = await docker.getContainer(Id).inspect();
    expect(inspected.HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ["ALL"], Privileged: false });
    expect(inspected.HostConfig.SecurityOpt).toContain("no-new-privileges:true");
    expect(inspected.HostConfig.Memory).toBeGreaterThan(0);
    expect(inspected.HostConfig.PidsLimit).toBeGreaterThan(0);
    expect(inspected.HostConfig.NanoCpus).toBeGreaterThan(0);
    expect(inspected.Config.User).toBe("65532:65532");
    const text = JSON.stringify(inspected);
    for (const secret of [...DEMO_SECRETS, "psk_", "pcc_", "postgres://"]) expect(text).not.toContain(secret);
  }
});

test("without an engine the same works in processes, and every page warns that they are not isolated", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const platform = await startPlatform("process");
  try {
    expect(readOutput(platform)).toContain("without isolation");
    await sendAutofill(page, platform.webUrl);
    await openTab(page, "Overview");
    await expect(page.getByText(/not isolated/i).first()).toBeVisible();
  } finally {
    expect(await platform.stop()).toBe(0);
  }
});
