import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { findEngine } from "../image/engine";
import { readWorkingManifest } from "../manifest/working-manifest";
import type { CliContext, CliEnvironment } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { quote } from "../terminal/format";

export interface BuildOptions {
  tag?: string;
  file: string;
  buildArg?: readonly string[];
  manifest?: string;
}

/** Builds the image as `publish --build` does, after the manifest is checked. */
export async function build(
  { environment, terminal }: CliContext,
  folder: string,
  options: BuildOptions,
): Promise<void> {
  await requireFolder(folder, folder);
  const manifestFile = options.manifest ?? path.join(folder, MANIFEST_FILE);
  const { name, version } = (await readWorkingManifest(manifestFile, terminal)).manifest;
  const image = options.tag ?? defaultTag(name);
  const { file, buildArg: buildArgs = [] } = options;
  terminal.note(`Building ${visible(image)}…`);
  await interruptible("Stopped. The image was not built.", (signal) =>
    buildImage(environment, { tag: image, folder, file, buildArgs }, signal),
  );
  terminal.result(`Built  ${visible(image)}`);
  terminal.data({ name, version, image });
  const where = manifestFile === MANIFEST_FILE ? "" : ` --manifest ${quote(manifestFile)}`;
  terminal.note(`Publish it:  platform-app publish ${quote(image)}${where}`);
}

interface ImageBuild {
  tag: string;
  folder: string;
  /** Relative to the folder. */
  file?: string;
  buildArgs: readonly string[];
}

/** @param name `<org-name>/<app-name>` */
export function defaultTag(name: string): string {
  return `${name}:latest`;
}

/** Builds with the engine that is asked for the image afterwards, with its output on standard error. */
export async function buildImage(
  { inherited }: Pick<CliEnvironment, "inherited">,
  { tag, folder, file, buildArgs }: ImageBuild,
  signal: AbortSignal,
): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...inherited, NODE_ENV: "production" };
  const more = [
    ...(file === undefined ? [] : ["--file", path.resolve(folder, file)]),
    ...buildArgs.flatMap((each) => ["--build-arg", each]),
  ];
  const args = ["build", "--platform", "linux/amd64", "--tag", tag, ...more, folder];
  const { engine, isInstalled } = await findEngine(inherited);
  if (engine === undefined)
    throw noEngine(isInstalled ? "No container engine is running" : "The `docker` command was not found");
  const child = spawn(engine, args, { env, stdio: ["ignore", 2, 2], signal });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (status === 0) return;
  throw new Failure(
    "BUILD_FAILED",
    `The image couldn't be built (${engine} build exited with ${status ?? "a signal"}). Fix the errors above and try again.`,
  );
}

export async function requireFolder(folder: string, argument: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new Failure("WRONG_USAGE", `${argument}: this folder does not exist.`);
}

function noEngine(reason: string): Failure {
  return new Failure("NO_ENGINE", `${reason}, so the image can't be built.`, {
    next: [
      "Start Docker, and run the command again.",
      "Or build the image on another machine, and publish the output of `docker save`:  platform-app publish app.tar",
    ],
  });
}

/** Runs with a signal that Ctrl-C aborts. Waits for the work to clean up, then fails with this message. */
export async function interruptible<T>(
  message: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, stop);
  try {
    return await run(abort.signal);
  } catch (error) {
    if (abort.signal.aborted) throw new Failure("INTERRUPTED", message);
    throw error;
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}
