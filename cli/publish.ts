import path from "node:path";
import { pipeline } from "node:stream/promises";
import { buildImage, requireFolder } from "./build-image";
import { readManifest, withBumpedManifest } from "./bump-manifest";
import { findCredentials, type Credentials } from "./credentials";
import type { CliEnvironment } from "./environment";
import { visible } from "./failure";
import { interruptible } from "./interruption";
import { findArchive, findImage, type Archive } from "./open-archive";
import { progress } from "./progress";
import { publishArchive, whoami, type PublishAnswer } from "./publish-api";
import type { Terminal } from "./terminal";

export interface PublishOptions {
  manifest: string;
  build?: string;
}

/** Bumps, builds when asked to, uploads; the bump stays only when a version was made. */
export async function publish(
  environment: CliEnvironment,
  terminal: Terminal,
  source: string,
  options: PublishOptions,
): Promise<void> {
  const credentials = await findCredentials(environment);
  const working = await readManifest(path.resolve(options.manifest), terminal);
  if (options.build !== undefined) await requireFolder(options.build);
  const answer = await interruptible(async (signal) => {
    // Wrong credentials must not cost a build and an upload.
    await whoami(credentials, signal);
    const existing =
      options.build === undefined ? ((await findArchive(source)) ?? (await findImage(source))) : undefined;
    return withBumpedManifest(working, terminal, async (version) => {
      terminal.note(`Publishing ${working.manifest.name} ${version}`);
      if (options.build !== undefined) await buildImage(source, options.build, signal);
      return upload(
        credentials,
        terminal,
        working.manifest.name,
        version,
        existing ?? (await findImage(source)),
        signal,
      );
    });
  });
  terminal.result(`Published  ${working.manifest.name} ${visible(answer.version)}`);
  terminal.result(`Image      ${visible(answer.imageDigest)}`);
  terminal.result(`Listing    ${visible(answer.listingUrl)}`);
}

async function upload(
  credentials: Credentials,
  terminal: Terminal,
  name: string,
  version: string,
  archive: Archive,
  signal: AbortSignal,
): Promise<PublishAnswer> {
  const shown = progress(terminal, archive.size);
  const fed = pipeline(await archive.open(), shown, { signal });
  // A fault of the source reaches the request through the destroyed stream; a refused request ends the source.
  fed.catch(() => {});
  return publishArchive(credentials, name, version, shown, signal).finally(() => shown.destroy());
}
