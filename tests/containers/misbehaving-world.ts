/** The apps of `e2e/apps/misbehaving` as versions and installations, in containers of the real engine. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type Docker from "dockerode";
import { eq } from "drizzle-orm";
import { versions } from "@/drizzle/schema/catalog";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { sealSetting } from "@/lib/server/platform/data-key";
import type { Platform } from "@/lib/server/platform/platform";
import type { Runtimes } from "@/lib/server/runtime/engines/choose-runtime";
import { buildImage } from "@/lib/server/runtime/engines/docker-example-image";
import { findImage } from "@/lib/server/runtime/engines/docker-image";
import type { Runtime } from "@/lib/server/runtime/engines/runtime";
import { givenInstallation, givenListing, givenMember, givenTenant } from "../test-platform";

const APP = path.resolve("e2e/apps/misbehaving");

/**
 * @param repository its name without a tag. Test files that run at the same time need one each, because each removes what it built
 * @returns the image's id on the engine, which is its digest
 */
export async function buildMisbehavingImage(
  docker: Docker,
  behavior: string,
  repository = "platform-test/misbehaving",
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-misbehaving-"));
  await cp(APP, folder, { recursive: true });
  await chooseBehavior(folder, behavior);
  const tag = `${repository}:${behavior}`;
  await buildImage(docker, folder, tag);
  await rm(folder, { recursive: true });
  const image = await findImage(docker, tag);
  if (image === undefined) throw new Error(`the engine built ${tag} and does not have it`);
  return image.id;
}

export function onlyRuntime(runtime: Runtime): Runtimes {
  return {
    all: [runtime],
    byName: (name) => (name === runtime.name ? runtime : undefined),
    forBundle: async () => runtime,
    findIsolating: async () => runtime,
    describe: async () => [],
  };
}

/** A version of the app, and its installation with a secret setting for each of the customers. */
export async function givenMisbehaving(
  platform: Platform,
  imageDigest: string,
  slugs: readonly string[] = [],
  secret = "-",
) {
  const publisher = await givenMember(platform, "acme");
  const appName = `app-${imageDigest.slice(-8)}`;
  const { version } = await givenListing(platform, publisher, { appName, state: "PUBLIC", verified: true });
  await platform.db.update(versions).set({ imageDigest }).where(eq(versions.id, version.id));
  const customers = [];
  for (const slug of slugs) {
    const member = await givenMember(platform, slug);
    const { tenant } = await givenTenant(platform, member);
    const { installation, route } = await givenInstallation(platform, member, version, tenant.id);
    const place = {
      organizationId: member.organization.id,
      installationId: installation.id,
      name: "account",
    };
    const sealed = await sealSetting(platform, platform.db, place, secret);
    const origin = { type: "Password" as const, setIn: 1, updatedAt: new Date().toISOString(), by: "x" };
    await platform.db
      .update(configurations)
      .set({ settings: { account: { kind: "sealed", sealed, ...origin } } })
      .where(eq(configurations.installationId, installation.id));
    customers.push({
      member,
      installation,
      routeId: route("autofill").id,
    });
  }
  return { versionId: version.id, customers };
}

/** Makes the app of a copy of `e2e/apps/misbehaving` start with this behavior: see its misbehaving.mjs. */
export async function chooseBehavior(folder: string, behavior: string): Promise<void> {
  const file = path.join(folder, "Dockerfile");
  await writeFile(file, (await readFile(file, "utf8")).replace('"serves"', JSON.stringify(behavior)));
}
