/** For tests: the apps that every runtime must be able to run, as each runtime gets them. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import Docker from "dockerode";
import { request } from "undici";
import { v7 } from "uuid";
import { expect } from "vitest";
import { dockerRuntime } from "@/lib/server/runtime/engines/docker";
import { isStatus } from "@/lib/server/runtime/engines/docker-engine";
import { processRuntime } from "@/lib/server/runtime/engines/process";
import type { Runtime, StartOrder } from "@/lib/server/runtime/engines/runtime";
import { archiveOpener, writeImage } from "./test-image";

export interface RuntimeFixture {
  runtime: Runtime;
  /** Writes "hello", in red and with a bell, and the state API's address; then serves. */
  serving: StartOrder;
  /** Writes "cannot start" and exits with code 3. */
  failing: StartOrder;
  /** Serves until `/crash` is requested. Then it writes "last words" and ends as if killed by SIGKILL. */
  crashing: StartOrder;
  /** Requests a path of an app as the platform does. Its status; 0 if nothing responds. */
  reach(origin: string, path: string): Promise<number>;
  /** Removes the images that it brought to the engine. */
  clean(): Promise<void>;
}

/** The tests can connect to apps on this machine, and to Pods of a cluster whose network it is in. */
export function reachFromHere(origin: string, path: string): Promise<number> {
  return request(origin + path).then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode;
    },
    () => 0,
  );
}

export async function untilHealthy({ reach }: RuntimeFixture, origin: string): Promise<void> {
  await expect.poll(() => reach(origin, "/health"), { interval: 25 }).toBe(200);
}

const COMMON = {
  replica: 0,
  organizationId: "",
  imageReference: null,
  environment: { PLATFORM_STATE_API: "http://127.0.0.1:4999" },
};

/** @param folder for the apps and the runtime's data */
export async function processFixture(folder: string): Promise<RuntimeFixture> {
  const examplesFolder = path.join(folder, "examples");
  const serving = `import { createServer } from "node:http";
    console.log("hello \\u001b[31mred\\u001b[0m\\u0007 " + process.env.PLATFORM_STATE_API);
    createServer((_, res) => res.end("ok")).listen(Number(process.env.PLATFORM_PORT), "127.0.0.1");`;
  const crashing = `import { createServer } from "node:http";
    createServer((req, res) => {
      if (req.url !== "/crash") return res.end("ok");
      console.log("last words");
      process.kill(process.pid, "SIGKILL");
    }).listen(Number(process.env.PLATFORM_PORT), "127.0.0.1");`;
  const apps = { serving, crashing, failing: 'console.log("cannot start"); process.exit(3);' };
  for (const [name, script] of Object.entries(apps)) {
    await mkdir(path.join(examplesFolder, name), { recursive: true });
    await writeFile(path.join(examplesFolder, name, "server.mjs"), script);
  }
  const order = (appName: string) => ({
    ...COMMON,
    bundleKind: "example-folder" as const,
    versionId: v7(),
    appName,
    imageDigest: "",
    openArchive: () => Promise.reject(new Error("an example has no archive")),
  });
  const runtime = processRuntime({ dataDir: folder, examplesFolder, production: false });
  const orders = { serving: order("serving"), failing: order("failing"), crashing: order("crashing") };
  return { runtime, ...orders, reach: reachFromHere, clean: async () => undefined };
}

/** For busybox's shell, in a container. */
export const CONTAINER_SCRIPTS = {
  serving: `printf 'hello \\033[31mred\\033[0m\\007 %s\\n' "$PLATFORM_STATE_API"; exec /bin/busybox httpd -f -p "$PLATFORM_PORT" -h /www`,
  failing: "echo cannot start; exit 3",
  // The engine's init ends with the shell's code: 137 is what an engine reports for SIGKILL.
  crashing: `while :; do
      request=$(printf 'HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\nconnection: close\\r\\n\\r\\nok' | /bin/busybox nc -l -p "$PLATFORM_PORT" | /bin/busybox head -n 1)
      case "$request" in *crash*) echo last words; exit 137;; esac
    done`,
};

/** @param folder for the images; its name also separates what the runtime owns from other tests' */
export async function dockerFixture(folder: string, busybox: string): Promise<RuntimeFixture> {
  const order = async (appName: keyof typeof CONTAINER_SCRIPTS) => {
    const archivePath = path.join(folder, `${appName}.tar`);
    // An image of its own for each fixture, so that none removes what another one runs.
    const script = `${CONTAINER_SCRIPTS[appName]}\n# ${path.basename(folder)}`;
    const imageDigest = await writeImage(archivePath, busybox, script);
    const openArchive = await archiveOpener(archivePath);
    return { ...COMMON, bundleKind: "image" as const, versionId: v7(), appName, imageDigest, openArchive };
  };
  const orders = {
    serving: await order("serving"),
    failing: await order("failing"),
    crashing: await order("crashing"),
  };
  return {
    runtime: dockerRuntime({ dataDir: folder, examplesFolder: path.resolve("examples") }),
    ...orders,
    reach: reachFromHere,
    clean: async () => {
      for (const { imageDigest } of Object.values(orders))
        await new Docker().getImage(imageDigest).remove({ force: true }).catch(ignoreMissing);
    },
  };
}

function ignoreMissing(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}
