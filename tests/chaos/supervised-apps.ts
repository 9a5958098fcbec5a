/** Apps that a scenario launches, upgrades and stops as their customers do, each with two versions. */
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { eq } from "drizzle-orm";
import { versions } from "@/drizzle/schema/catalog";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { Member } from "@/lib/domain/platform/actor";
import { oldArchivePath } from "@/lib/server/images/open-archive";
import { startInstallation, stopInstallation } from "@/lib/server/installations/command-installation";
import { launchInstallation } from "@/lib/server/installations/launch-installation";
import { beginUpgrade } from "@/lib/server/installations/upgrade-installation";
import type { Platform } from "@/lib/server/platform/platform";
import { dockerRuntime } from "@/lib/server/runtime/engines/docker";
import { processRuntime } from "@/lib/server/runtime/engines/process";
import type { Runtime } from "@/lib/server/runtime/engines/runtime";
import { digestFile, findBusybox, writeImage } from "../test-image";
import { givenListing, givenMember, givenTenant, givenVersion, one, SAMPLE_MANIFEST } from "../test-platform";
import { APP } from "./apps";
import type { TemporaryEngine } from "./engine";

const MANIFEST: Manifest = {
  ...SAMPLE_MANIFEST,
  version: "1.0.0",
  app: { fields: [] },
  core: { ...SAMPLE_MANIFEST.core, lifecycle: [] },
};

/** Answers its health check, and ends at SIGTERM. */
const SCRIPT = `trap 'exit 0' TERM
/bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www & wait`;

export interface SupervisedApp {
  installationId: string;
  /** Digests of both images. */
  images: string[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** To the version that it doesn't have. */
  upgrade(): Promise<void>;
}

/** The runtime that a world's workers use, to look at what it has. */
export function openRuntime(
  { environment }: Platform,
  engine: TemporaryEngine | undefined,
  root: string,
): Runtime {
  const { dataDir } = environment;
  const examplesFolder = path.join(root, "examples");
  return engine === undefined
    ? processRuntime({ dataDir, examplesFolder, production: false })
    : dockerRuntime({ dataDir, examplesFolder }, engine.docker);
}

/** Launches an app with two versions. @param isolated as images; otherwise as the folder of the world's app */
export async function launchApp(platform: Platform, slug: string, isolated: boolean): Promise<SupervisedApp> {
  const member = await givenMember(platform, slug);
  const { version: first } = await givenListing(platform, member, {
    appName: APP,
    state: "PUBLIC",
    verified: true,
    manifest: MANIFEST,
  });
  const images = [await addImage(platform, first.id, `${slug} 1`, isolated)];
  const { tenant } = await givenTenant(platform, member);
  const { installationId } = await launchInstallation(platform, member, {
    versionId: first.id,
    tenantId: tenant.id,
    test: false,
    settings: {},
    mappings: { "Personal Auto": { vin: "$.vin" } },
  });
  const manifest = { ...first.manifest, version: "2.0.0" };
  const { id: second } = await givenVersion(platform, first, "2.0.0", { manifest });
  images.push(await addImage(platform, second, `${slug} 2`, isolated));
  return {
    installationId,
    images,
    start: () => startInstallation(platform, member, installationId),
    stop: () => stopInstallation(platform, member, installationId),
    upgrade: () => upgrade(platform, member, installationId, [first.id, second]),
  };
}

/** @returns its digest */
async function addImage(
  platform: Platform,
  versionId: string,
  name: string,
  isolated: boolean,
): Promise<string> {
  if (!isolated) {
    await platform.db
      .update(versions)
      .set({ bundleKind: "example-folder" })
      .where(eq(versions.id, versionId));
    return "";
  }
  const file = path.join(platform.environment.dataDir, `${versionId}.tar`);
  await mkdir(path.dirname(file), { recursive: true });
  const imageDigest = await writeImage(file, (await findBusybox()) ?? "", `# ${name}\n${SCRIPT}`, []);
  const archiveDigest = await digestFile(file);
  const stored = oldArchivePath(platform.environment, archiveDigest);
  await mkdir(path.dirname(stored), { recursive: true });
  await rename(file, stored);
  await platform.db
    .update(versions)
    .set({ bundleKind: "image", imageDigest, archiveDigest })
    .where(eq(versions.id, versionId));
  return imageDigest;
}

async function upgrade(
  platform: Platform,
  member: Member,
  installationId: string,
  both: readonly string[],
): Promise<void> {
  const { rows } = await platform.pool.query<{ version_id: string; revision: number }>(
    "select version_id, revision from installations where id = $1",
    [installationId],
  );
  const { version_id: current, revision } = one(rows);
  const versionId = both.find((id) => id !== current) ?? "";
  await beginUpgrade(platform, member, installationId, { versionId, revision, settings: {}, mappings: {} });
}
