import path from "node:path";
import { growDemo } from "@/lib/server/demo/grow-demo";
import { isUnused, seedDemo } from "@/lib/server/demo/seed-demo";
import { moveDemoTenants } from "@/lib/server/demo/set-up-customer";
import type { Platform } from "@/lib/server/platform/platform";
import { moveSandboxes } from "@/lib/server/tenants/connect-sandbox";
import type { Addresses, Settings } from "./settings";
import { writeSecrets, type Secrets } from "./data-folder/secrets";
import { buildExampleImage } from "@/lib/server/runtimes/example-image";

/** Whether this database has or gets the demo: only one that was unused at its first start, and never in production. */
export async function wantsDemo(platform: Platform, settings: Settings, secrets: Secrets): Promise<boolean> {
  if (settings.production) return false;
  if (secrets.demo === undefined && (await isUnused(platform))) {
    secrets.demo = "begun";
    await writeSecrets(settings.dataDir, secrets);
  }
  return secrets.demo !== undefined;
}

/** Seeds the demo if that is not done yet, and updates its tenants to the core's current address. */
export async function startDemo(
  platform: Platform,
  { root, dataDir, env }: Settings,
  secrets: Secrets,
  { coreUrl, corePort, demoInContainers }: Addresses,
): Promise<void> {
  await moveDemoTenants(platform, coreUrl);
  if (env.PLATFORM_SANDBOX_CORE_URL === undefined) await moveSandboxes(platform, coreUrl);
  if (secrets.demo !== "begun") return;
  await seedDemo(platform, {
    coreUrl,
    examplesFolder: path.join(root, "examples"),
    buildImage: demoInContainers ? (app) => buildExampleImage(root, app) : undefined,
    launchMs: 60_000,
    report: (message) => console.log(message),
    setUpTenant: async (hostName, credential) => {
      secrets.coreCredentials[hostName] = credential;
      await writeSecrets(dataDir, secrets);
      const url = `http://127.0.0.1:${corePort}/tenants/${hostName}`;
      const response = await fetch(url, { method: "PUT", body: JSON.stringify({ credential }) });
      if (!response.ok)
        throw new Error(
          `the demo's core returned ${response.status} when it was given the tenant ${hostName}`,
        );
    },
  });
  secrets.demo = "usable";
  await writeSecrets(dataDir, secrets);
}

/** Adds the rest of the demo in the background, if that is not done yet. Returns a function that ends it. */
export function growInBackground(
  platform: Platform,
  { root, dataDir }: Settings,
  secrets: Secrets,
): () => Promise<void> {
  const ending = new AbortController();
  const folders = {
    examplesFolder: path.join(root, "examples"),
    picturesFolder: path.join(root, "lib/server/demo/pictures"),
  };
  const growing = async () => {
    const growth = { ...folders, signal: ending.signal, report: (message: string) => console.log(message) };
    if (secrets.demo !== "usable" || !(await growDemo(platform, growth))) return;
    secrets.demo = "done";
    await writeSecrets(dataDir, secrets);
  };
  // The platform works without it, and the next start tries again.
  const grown = growing().catch((error: unknown) => {
    if (!ending.signal.aborted) console.error("The demo could not be completed:", error);
  });
  return () => {
    ending.abort();
    return grown;
  };
}
