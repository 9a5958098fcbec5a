/** P6 for images that are sent blob by blob. */
import { readdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { createGateway } from "@/gateway/serve";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { basic } from "../matrix/world";
import { publishManifest, sendMissing } from "./send-blobs";
import { givenListing, givenMember, testPlatform } from "../test-platform";
import { listCases } from "./list-cases";
import { isExpected } from "./send-archive";
import { splitArchive } from "./to-layered";

const SEED = 6;
/** The checks behind both ways are the same, so a part of the cases is enough. */
const EVERY = 3;
/** What is wrong with these archives is not in their blobs. */
const ABOUT_THE_ARCHIVE = [
  "a file twice",
  "a configuration under another digest",
  "two layouts of different images",
];
const platform = await testPlatform();

// Guarantee (P6): an image gets the same answer, whichever way it is sent.
test("hostile layers and configurations are refused for the same reasons as in an archive", async () => {
  const server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const publisher = await givenMember(platform, "bench");
  await givenListing(platform, publisher, { appName: "bench" });
  const key = await createApiKey(platform, publisher, "Hostile");
  const sender = { base: `http://127.0.0.1:${port}`, authorization: basic(key) };
  const unexpected: string[] = [];
  let sent = 0;
  for (const [index, { name, expected, isSlow, archive }] of listCases(SEED).entries()) {
    if (index % EVERY > 0 || isSlow === true || ABOUT_THE_ARCHIVE.includes(name)) continue;
    const image = await splitArchive(await archive(`9.${index}.0`));
    if (image === undefined) continue;
    sent += 1;
    await sendMissing(sender, image.blobs);
    const start = performance.now();
    const { status, text: body } = await publishManifest(sender, "bench/bench", image.manifest);
    if (!isExpected({ status, body, tookMs: performance.now() - start }, expected))
      unexpected.push(`${name}: ${status} ${body.slice(0, 300)} instead of ${expected}`);
  }
  await new Promise((resolve) => server.close(resolve));
  expect(unexpected).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(30);
  const left = await readdir(path.join(platform.environment.dataDir, "bundles"));
  expect(left.filter((name) => name.startsWith("incoming-"))).toEqual([]);
}, 120_000);
