import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findKeyringFaults } from "@/lib/server/platform/check-keyring";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { testPlatform } from "@/tests/test-platform";
import * as build from "./build.mjs";
import { readSecrets, StartError } from "./data-folder/secrets";
import { Lifetime, Part } from "./part";
import { startParts } from "./start-parts";

const platform = await testPlatform();

// Guarantee: with keys that open nothing, `npm start` starts no part, and says where to set the right ones.
test.each([
  ["PLATFORM_MASTER_KEYS", true],
  ["masterKeys in ", false],
])("with another key under the same id, nothing starts: the fix is named as %s", async (where, isSet) => {
  expect(await findKeyringFaults(platform.keyring, platform.db)).toEqual([]);
  const root = await mkdtemp(path.join(tmpdir(), "start-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const started = vi.spyOn(Part.prototype, "start").mockResolvedValue(undefined);
  onTestFinished(() => started.mockRestore());
  const wrong = { PLATFORM_MASTER_KEYS: newMasterKey("test") };
  const env = { NODE_ENV: "development" as const, DATABASE_URL: platform.environment.DATABASE_URL, ...wrong };
  const addresses = {
    ...{ webPort: 0, webUrl: "http://localhost:1", gatewayPort: 0, gatewayUrl: "http://127.0.0.1:1" },
    ...{
      stateListen: "",
      containerStateApi: "",
      coreHosts: "",
      corePort: 0,
      coreUrl: "",
      demoInContainers: false,
    },
  };
  const lifetime = new Lifetime();
  const starting = startParts({
    settings: {
      root,
      dev: false,
      production: false,
      dataDir: root,
      databaseUrl: env.DATABASE_URL,
      env: { NODE_ENV: "development", ...(isSet ? wrong : {}) },
    },
    secrets: await readSecrets(root),
    addresses,
    env: { ...env, PLATFORM_DATA_DIR: root },
    lifetime,
    build,
  });
  await expect(starting).rejects.toThrow(StartError);
  await expect(starting).rejects.toThrow(`Set the same keys in ${where}`);
  expect(started).not.toHaveBeenCalled();
  await lifetime.end();
});
