/** A check as a customer makes it: a real worker starts the example app, which reads the answers from a real gateway. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { listings, versions } from "@/drizzle/schema/catalog";
import { instances } from "@/drizzle/schema/runtime";
import { createGateway } from "@/gateway/serve";
import type { ConfigurationCheckInput, SettingAction } from "@/lib/contract/catalog/configuration";
import { toPublisher } from "@/lib/domain/platform/actor";
import { publishExampleFolder } from "@/lib/server/catalog/publish/publish-version";
import { readCheck, requestCheck } from "@/lib/server/installations/request-check";
import { freePort } from "@/lib/server/platform/machine";
import { processRuntime } from "@/lib/server/runtime/engines/process";
import { runWorker } from "@/worker/run-worker";
import { onlyRuntime } from "./containers/misbehaving-world";
import { givenListing, givenMember, givenTenant, one, testPlatform } from "./test-platform";

const folder = await mkdtemp(path.join(tmpdir(), "platform-check-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const port = await freePort();
const platform = await testPlatform({ PLATFORM_GATEWAY_URL: `http://127.0.0.1:${port}` });
const set = (value: string): SettingAction => ({ action: "set", value });

// Guarantee: the check works before the first launch, when nothing of the app runs.
test("the example app starts, reads unsaved answers through the gateway, and names what to fix", async () => {
  const gateway = createGateway(platform);
  await new Promise<void>((resolve) => gateway.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void gateway.close());
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, "harbor", "operator");
  const { listing } = await givenListing(platform, publisher, { appName: "vin-autofill" });
  await platform.db.delete(versions).where(eq(versions.listingId, listing.id));
  const examplesFolder = path.join(import.meta.dirname, "../examples");
  const { versionId } = await publishExampleFolder(
    platform,
    toPublisher(publisher),
    path.join(examplesFolder, "vin-autofill"),
  );
  await platform.db.update(listings).set({ state: "PUBLIC" });
  await platform.db.update(versions).set({ verifiedAt: new Date() });
  const { tenant } = await givenTenant(platform, customer);
  const runtime = processRuntime({ dataDir: folder, examplesFolder, production: false });
  const worker = runWorker(platform, onlyRuntime(runtime));
  onTestFinished(() => worker.end());

  const findings = async (settings: Record<string, SettingAction>) => {
    const input: ConfigurationCheckInput = {
      ...{ for: "launch", versionId, tenantId: tenant.id, test: false, mappings: {} },
      settings: { region: set("eu"), ...settings },
    };
    const { checkId } = await requestCheck(platform, customer, input);
    const read = async () => (await readCheck(platform, customer, checkId)).result;
    await expect.poll(read).not.toBeNull();
    return read();
  };
  expect(await findings({ providerKey: set("key?") })).toMatchObject({
    outcome: "ISSUES",
    issues: [{ pointer: "/settings/providerKey", message: expect.stringContaining("at least 8 letters") }],
  });
  expect(await findings({ providerKey: set("provider-key-1") })).toEqual({ outcome: "PASSED" });
  expect(one(await platform.db.select().from(instances))).toMatchObject({ state: "READY" });
});
