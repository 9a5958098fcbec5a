/** What a visitor sees after `npm start`. without-engine.spec.ts shows the same without containers. */
import Docker from "dockerode";
import { expect, sendDemoAutofill, test } from "./fixtures";
import { DEMO_SECRETS, readOutput, waitForDemo } from "./start-platform";

test("a visitor sends an autofill call and sees the app's answer", async ({ platform, page }) => {
  await waitForDemo(platform);
  await sendDemoAutofill(page, platform.webUrl);
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
