/** P6, the short form of `npm run test:hostile-images`: without the slow cases, and with fewer mutated archives. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGateway } from "@/gateway/serve";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { freePort } from "@/lib/server/platform/machine";
import { basic } from "../matrix/world";
import { givenListing, givenMember, testPlatform } from "../test-platform";
import { listCases } from "./list-cases";
import { honestArchives, mutate } from "./mutate";
import { isExpected, sendArchive } from "./send-archive";

const SEED = 6;
const MUTATIONS = 400;

const platform = await testPlatform();
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const gateway = createGateway(platform);
let authorization = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(port, "127.0.0.1", resolve));
});
afterAll(() => void gateway.close());

async function givenApp(): Promise<void> {
  const publisher = await givenMember(platform, "bench");
  await givenListing(platform, publisher, { appName: "bench" });
  authorization = basic(await createApiKey(platform, publisher, "Hostile"));
}

/** Folders of uploads that were not removed. */
async function listLeft(): Promise<string[]> {
  const names = await readdir(path.join(platform.environment.dataDir, "bundles"));
  return names.filter((name) => name.startsWith("incoming-"));
}

// Guarantee (P6): each kind of hostile archive is refused for its reason, and nothing honest is.
test("every archive gets the answer that its class documents, and leaves nothing behind", async () => {
  await givenApp();
  const cases = listCases(SEED).filter(({ isSlow }) => isSlow !== true);
  expect(cases.length).toBeGreaterThanOrEqual(150);
  const unexpected: string[] = [];
  for (const [index, { name, expected, archive }] of cases.entries()) {
    const answer = await sendArchive(base, authorization, await archive(`9.${index}.0`));
    // How long each takes is measured by `npm run test:hostile-images`.
    if (!isExpected(answer, expected))
      unexpected.push(`${name}: ${answer.status} ${answer.body.slice(0, 300)} instead of ${expected}`);
  }
  expect(unexpected).toEqual([]);
  expect(await listLeft()).toEqual([]);
}, 240_000);

test("a mutated archive is accepted or refused, and never a failure of the platform", async () => {
  await givenApp();
  const archives = await honestArchives("9.1.0");
  for (let seed = 0; seed < MUTATIONS; seed += 1) {
    const bytes = mutate(archives[seed % archives.length] ?? Buffer.alloc(0), seed);
    const { status, body } = await sendArchive(base, authorization, bytes);
    expect([200, 201, 400, 409], `seed ${seed}: ${body}`).toContain(status);
  }
  expect(await listLeft()).toEqual([]);
}, 120_000);
