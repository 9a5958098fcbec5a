import path from "node:path";
import { isUnused, seedDemo } from "@/lib/server/demo/seed-demo";
import { moveDemoTenants } from "@/lib/server/demo/set-up-customer";
import type { Platform } from "@/lib/server/platform/platform";
import { moveSandboxes } from "@/lib/server/tenants/connect-sandbox";
import { openExampleImages } from "./build-example-images";
import { type Secrets, writeSecrets } from "./secrets";
import type { Addresses, Settings } from "./settings";

/** Whether this database gets, or has, the demo: an unused one, never in production. Remembered beside the secrets. */
export async function wantsDemo(platform: Platform, settings: Settings, secrets: Secrets): Promise<boolean> {
  if (settings.production) return false;
  if (secrets.demo === undefined && (await isUnused(platform))) {
    secrets.demo = "begun";
    await writeSecrets(settings.dataDir, secrets);
  }
  return secrets.demo !== undefined;
}

/** Seeds it (or goes on with it), and keeps its tenants at the address that the core has today. */
export async function startDemo(
  platform: Platform,
  settings: Settings,
  secrets: Secrets,
  addresses: Addresses,
): Promise<void> {
  await moveDemoTenants(platform, addresses.coreUrl);
  if (settings.env.PLATFORM_SANDBOX_CORE_URL === undefined) await moveSandboxes(platform, addresses.coreUrl);
  if (secrets.demo === "done") return;
  await seedDemo(platform, {
    coreUrl: addresses.coreUrl,
    examplesFolder: path.join(settings.root, "examples"),
    buildImage: addresses.demoInContainers ? openExampleImages(settings.root) : undefined,
    launchMs: 60_000,
    report: (message) => console.log(message),
    setUpTenant: async (hostName, credential) => {
      secrets.coreCredentials[hostName] = credential;
      await writeSecrets(settings.dataDir, secrets);
      const address = `http://127.0.0.1:${addresses.corePort}/tenants/${hostName}`;
      const answer = await fetch(address, { method: "PUT", body: JSON.stringify({ credential }) });
      if (!answer.ok)
        throw new Error(`the demo's core answered ${answer.status} when it was told of ${hostName}`);
    },
  });
  secrets.demo = "done";
  await writeSecrets(settings.dataDir, secrets);
}
