import path from "node:path";
import { pipeline } from "node:stream/promises";
import { readManifest, withBumpedManifest } from "./bump-manifest";
import { type Credentials, findCredentials } from "./credentials";
import type { CliEnvironment, Terminal } from "./environment";
import { EXIT, Failure, visible } from "./failure";
import { type Archive, findImage, openSource } from "./open-archive";
import { progress } from "./progress";
import { type PublishAnswer, publishArchive, whoami } from "./publish-api";
import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";

export interface PublishOptions {
  manifest: string;
  build?: string;
}

/** Bumps the version, builds if asked to, and uploads. The bump is undone unless a version was created. */
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
    // Checked first, so that wrong credentials do not cost a build and an upload.
    await whoami(credentials, signal);
    const existing = options.build === undefined ? await openSource(source) : undefined;
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
  // Errors of the source reach the request through the destroyed stream; a rejected request ends the source.
  fed.catch(() => {});
  return publishArchive(credentials, name, version, shown, signal).finally(() => shown.destroy());
}

/** Runs `docker build` with its output on standard error. */
async function buildImage(image: string, folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn("docker", ["build", "--platform", "linux/amd64", "-t", image, folder], {
    stdio: ["ignore", 2, 2],
    signal,
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Failure("The `docker` command was not found. Build the image yourself and omit --build.");
  });
  if (status !== 0)
    throw new Failure(
      `The image could not be built (docker build exited with ${status ?? "a signal"}). Fix the errors above and try again.`,
    );
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new Failure(`--build ${folder}: this folder does not exist.`, [], EXIT.usage);
}

/** Runs with a signal that Ctrl-C aborts. Waits for the work to clean up, then fails. */
async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, stop);
  try {
    return await run(abort.signal);
  } catch (error) {
    if (abort.signal.aborted)
      throw new Failure(
        "Stopped. Nothing was published, and the version was restored.",
        [],
        EXIT.interrupted,
      );
    throw error;
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}
