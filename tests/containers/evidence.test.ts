/** The automatic checks on real containers: a good app passes, and each app that fails in one way fails the check for it. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Docker from "dockerode";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { createGateway } from "@/gateway/serve";
import { findContainerAddress } from "@/launcher/addresses";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { CheckName } from "@/lib/contract/moderation/check-names";
import type { EvidenceView } from "@/lib/contract/moderation/review";
import { toPublisher } from "@/lib/domain/platform/actor";
import { publishVersion } from "@/lib/server/catalog/publish/publish-version";
import { evidencePool } from "@/lib/server/moderation/evidence/evidence-pool";
import { readEvidence } from "@/lib/server/moderation/evidence/queue-evidence";
import { submitReview } from "@/lib/server/moderation/submit-review";
import { createRuntimes } from "@/lib/server/runtime/engines/choose-runtime";
import { dockerRuntime } from "@/lib/server/runtime/engines/docker";
import { findEngineFailure } from "@/lib/server/runtime/engines/docker-engine";
import { buildImage } from "@/lib/server/runtime/engines/docker-example-image";
import { buildMisbehavingImage, chooseBehavior, onlyRuntime } from "./misbehaving-world";
import { workOnce } from "../deliver";
import { givenListing, givenMember, testPlatform } from "../test-platform";

const LIMITS = { readyWithinMs: 4_000, callsMs: 20_000 };

const MANIFEST: Manifest = {
  name: "acme/app",
  version: "1.0.0",
  app: {
    fields: [
      { name: "account", title: "Account", type: "Password", required: true },
      { name: "office", title: "Office", type: "Text", required: true },
    ],
  },
  core: {
    webhooks: [{ path: "/events", events: ["policy.issued"] }],
    autofill: [{ path: "/fill", operations: ["newBusiness.*"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
    lifecycle: ["install", "uninstall"],
  },
};

const failure = await findEngineFailure();
const title = `the evidence pack${failure === undefined ? "" : ` (skipped: ${failure})`}`;

const results = (evidence: EvidenceView) =>
  Object.fromEntries(evidence.checks.map(({ name, result }) => [name, result]));
const detailOf = (evidence: EvidenceView, name: CheckName) =>
  evidence.checks.find((check) => check.name === name)?.detail ?? "";

describe.skipIf(failure !== undefined)(title, async () => {
  const platform = await testPlatform();
  const docker = new Docker();
  const folder = await mkdtemp(path.join(tmpdir(), "platform-evidence-"));
  const runtime = dockerRuntime({ dataDir: folder, examplesFolder: "" });
  const built: string[] = [];
  let closeGateway = () => {};

  beforeAll(async () => {
    const address = await findContainerAddress();
    if (address === undefined) throw new Error("no engine");
    const gateway = createGateway(platform, (route) => route === "GET /state/<key>");
    await new Promise<void>((resolve) => gateway.listen(0, address.listen, resolve));
    const bound = gateway.address();
    const port = bound !== null && typeof bound === "object" ? bound.port : 0;
    platform.environment.PLATFORM_STATE_API_CONTAINER = `http://${address.reach}:${port}`;
    closeGateway = () => {
      gateway.closeAllConnections();
      gateway.close();
    };
  });
  afterAll(async () => {
    closeGateway();
    for (const { handle } of await runtime.list()) await runtime.stop(handle, 0);
    for (const name of built) await docker.getImage(name).remove({ force: true });
    await rm(folder, { recursive: true, force: true });
  });

  /** Submits a version, and does what a worker does. */
  async function check(listingId: string, versionId: string, submitter: Parameters<typeof submitReview>[1]) {
    const { reviewId } = await submitReview(platform, submitter, listingId, { versionId });
    expect(await readEvidence(platform, reviewId)).toMatchObject({ state: "QUEUED", checks: [] });
    expect(await workOnce(evidencePool(platform, onlyRuntime(runtime), LIMITS))).toBe(1);
    const evidence = await readEvidence(platform, reviewId);
    if (evidence === null) throw new Error("no evidence");
    return evidence;
  }

  async function checkBehavior(behavior: string) {
    const publisher = await givenMember(platform, "acme");
    const { listing, version } = await givenListing(platform, publisher, { manifest: MANIFEST });
    const imageDigest = await buildMisbehavingImage(docker, behavior, "platform-test/evidence");
    built.push(`platform-test/evidence:${behavior}`);
    await platform.db.update(versions).set({ imageDigest }).where(eq(versions.id, version.id));
    return check(listing.id, version.id, publisher);
  }

  test("a good app passes every check, and its image is described", async () => {
    const publisher = await givenMember(platform, "acme");
    const { listing } = await givenListing(platform, publisher, { appName: "app" });
    await platform.db.delete(versions);
    const image = await mkdtemp(path.join(folder, "good-"));
    await cp("e2e/apps/misbehaving", image, { recursive: true });
    await chooseBehavior(image, "keeps-apart");
    await writeFile(path.join(image, "platform-app.json"), JSON.stringify(MANIFEST));
    await buildImage(docker, image, "platform-test/evidence:good");
    built.push("platform-test/evidence:good");
    const archive = await docker.getImage("platform-test/evidence:good").get();
    const { versionId } = await publishVersion(platform, toPublisher(publisher), { appName: "app", archive });
    const evidence = await check(listing.id, versionId, publisher);
    expect(evidence.state, evidence.reason ?? "").toBe("DONE");
    expect(results(evidence), JSON.stringify(evidence.checks, null, 1)).toEqual({
      architecture: "PASS",
      "image-settings": "WARN",
      port: "PASS",
      health: "PASS",
      hooks: "PASS",
      routes: "PASS",
      state: "PASS",
      customers: "PASS",
      secrets: "PASS",
      restart: "PASS",
      "start-time": "PASS",
      memory: "PASS",
    });
    expect(detailOf(evidence, "image-settings")).toMatch(
      /^The image runs as root, because it sets no USER\./,
    );
    expect(evidence.facts).toMatchObject({
      image: { digest: expect.stringMatching(/^sha256:/), sharedLayers: null, user: "", volumes: [] },
      calls: expect.any(Number),
    });
    expect(evidence.facts?.memoryBytes).toBeGreaterThan(1_000_000);

    // Nothing of it is left to see, to count, or to run.
    expect(await runtime.list()).toEqual([]);
    expect(await platform.db.select().from(attempts)).toEqual([]);
    expect(await platform.db.select().from(installations)).toEqual([
      expect.objectContaining({ state: "UNINSTALLED" }),
      expect.objectContaining({ state: "UNINSTALLED" }),
    ]);
    const stored = await platform.db.select({ settings: configurations.settings }).from(configurations);
    expect(stored).toEqual([{ settings: {} }, { settings: {} }]);
  });

  test.each<[behavior: string, check: CheckName, detail: RegExp]>([
    [
      "never-healthy",
      "health",
      /not healthy within 4 s\. GET \/health returned 503\. It must return exactly 200/,
    ],
    ["wrong-port", "port", /^It listens on port 3000, not on the port in PLATFORM_PORT, which is 8080/],
    ["mixes-customers", "customers", /\/rate.* returned one customer's values to another/],
    ["logs-secret", "secrets", /^It wrote the setting account to its log\. Remove it there/],
  ])("an app that is %s fails the check %s, and no other", async (behavior, name, detail) => {
    const evidence = await checkBehavior(behavior);
    expect(evidence.state, evidence.reason ?? "").toBe("DONE");
    const failed = evidence.checks.filter(({ result }) => result === "FAIL");
    expect(
      failed.map((each) => each.name),
      JSON.stringify(evidence.checks, null, 1),
    ).toEqual([name]);
    expect(detailOf(evidence, name)).toMatch(detail);
    expect(evidence.checks).toHaveLength(12);
    expect(await runtime.list()).toEqual([]);
  });
});

describe("without an engine", async () => {
  const platform = await testPlatform({ PLATFORM_RUNTIME: "process" });

  // Guarantee: a platform that can't run an image says so in each check, and never claims that it passed.
  test("every check that needs one is skipped with the reason", async () => {
    const publisher = await givenMember(platform, "acme");
    const { listing, version } = await givenListing(platform, publisher);
    const { reviewId } = await submitReview(platform, publisher, listing.id, { versionId: version.id });
    const runtimes = createRuntimes(platform.environment);
    expect(await workOnce(evidencePool(platform, runtimes, LIMITS))).toBe(1);
    const evidence = await readEvidence(platform, reviewId);
    expect(evidence?.state).toBe("DONE");
    expect(new Set(evidence?.checks.map(({ result }) => result))).toEqual(new Set(["SKIPPED"]));
    expect(evidence?.checks.find(({ name }) => name === "health")?.detail).toMatch(/runs only example apps/);
  });
});
