import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { EXIT, Failure } from "./failure";

/** `docker build`, with its output on standard error. */
export async function buildImage(image: string, folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn("docker", ["build", "--platform", "linux/amd64", "-t", image, folder], {
    stdio: ["ignore", 2, 2],
    signal,
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Failure("There is no `docker` command here. Build the image yourself and leave --build out.");
  });
  if (status !== 0)
    throw new Failure(
      `The image could not be built (docker build ended with ${status ?? "a signal"}). Mend what it says above.`,
    );
}

export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new Failure(`--build ${folder}: there is no such folder.`, [], EXIT.usage);
}
