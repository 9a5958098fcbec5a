/** Builds an app's image with the `docker` command. */
import { execFile, spawn } from "node:child_process";
import path from "node:path";
import { stat } from "node:fs/promises";
import type { CliEnvironment } from "../terminal/environment";
import { Failure } from "../terminal/failure";

export interface ImageBuild {
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

/** Runs `docker build` with its output on standard error. */
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
  const child = spawn("docker", args, { env, stdio: ["ignore", 2, 2], signal });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw noEngine("The `docker` command was not found");
  });
  if (status === 0) return;
  if (!(await engineAnswers(env))) throw noEngine("No container engine is running");
  throw new Failure(
    "BUILD_FAILED",
    `The image couldn't be built (docker build exited with ${status ?? "a signal"}). Fix the errors above and try again.`,
  );
}

export async function requireFolder(folder: string, argument: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new Failure("WRONG_USAGE", `${argument}: this folder does not exist.`);
}

function engineAnswers(env: NodeJS.ProcessEnv): Promise<boolean> {
  const args = ["version", "--format", "{{.Server.Os}}"];
  return new Promise((resolve) =>
    execFile("docker", args, { env, timeout: 10_000 }, (error) => resolve(error === null)),
  );
}

function noEngine(reason: string): Failure {
  return new Failure("NO_ENGINE", `${reason}, so the image can't be built.`, {
    next: [
      "Start Docker, and run the command again.",
      "Or build the image on another machine, and publish the output of `docker save`:  platform-app publish app.tar",
    ],
  });
}
