/** How a world's workers run its app: as processes, or in containers of this machine's engine. */
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import Docker from "dockerode";
import { z } from "zod";
import { endContainers, findContainerAddress } from "@/launcher/addresses";
import { dockerRuntime } from "@/lib/server/runtime/engines/docker";
import { buildImage } from "@/lib/server/runtime/engines/docker-example-image";
import { findImage } from "@/lib/server/runtime/engines/docker-image";

export const APP = "journal";
const SOURCE = path.join(import.meta.dirname, "journal-app.mjs");
const BOMBS = path.join(import.meta.dirname, "bomb-kinds.mjs");
const TAG = "platform-test/chaos-journal";

/** The folders of a world. */
export interface Folders {
  /** Where parts run; contains `examples`. */
  root: string;
  dataDir: string;
}

export interface Apps {
  /** For the parts. */
  variables: Record<string, string>;
  /** What a version of the app was created from. */
  bundle: { bundleKind: "image" | "example-folder"; imageDigest?: string };
  /** `kill -9` of the app of this version. False if it does not run now. */
  kill: (versionId: string) => Promise<boolean>;
  end: () => Promise<void>;
}

export const getScript = ({ root }: Folders) => path.join(root, "examples", APP, "server.mjs");
export const getJournal = ({ root }: Folders) => path.join(root, "examples", APP, "journal.jsonl");

export async function runAsProcesses(folders: Folders): Promise<Apps> {
  await mkdir(path.dirname(getScript(folders)), { recursive: true });
  await cp(SOURCE, getScript(folders));
  await cp(BOMBS, path.join(path.dirname(getScript(folders)), path.basename(BOMBS)));
  return {
    variables: { PLATFORM_RUNTIME: "process" },
    bundle: { bundleKind: "example-folder" },
    kill: async (versionId) => {
      const found = (await readProcesses(folders)).find((record) => record.versionId === versionId);
      return found !== undefined && killProcess(found.pid);
    },
    end: async () => undefined,
  };
}

const processRecord = z.object({ pid: z.number(), versionId: z.string() });

async function readProcesses({ dataDir }: Folders) {
  const folder = path.join(dataDir, "processes");
  const names = await readdir(folder).catch(() => []);
  const read = (name: string) => readFile(path.join(folder, name), "utf8").catch(() => "");
  // A record that is being written or removed counts as none.
  const texts = (await Promise.all(names.map(read))).filter((record) => record.endsWith("}"));
  return texts.map((record) => processRecord.parse(JSON.parse(record)));
}

function killProcess(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

/** Undefined without an engine. A container cannot write to this machine, so the app sends what it notes to this process. */
export async function runInContainers(folders: Folders): Promise<Apps | undefined> {
  const address = await findContainerAddress();
  if (address === undefined) return undefined;
  const docker = new Docker();
  const runtime = dockerRuntime({ dataDir: folders.dataDir, examplesFolder: "" }, docker);
  await mkdir(path.dirname(getJournal(folders)), { recursive: true });
  const collector = createServer(async (request, response) => {
    await appendFile(getJournal(folders), await text(request));
    response.end();
  });
  await new Promise<void>((resolve) => collector.listen(0, address.listen, resolve));
  const bound = collector.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : 0;
  const imageDigest = await buildAppImage(docker);
  return {
    variables: { PLATFORM_RUNTIME: "auto", PLATFORM_STATE_API_CONTAINER: `http://${address.reach}:${port}` },
    bundle: { bundleKind: "image", imageDigest },
    kill: async (versionId) => {
      const found = (await runtime.list()).find((one) => one.versionId === versionId);
      if (found === undefined) return false;
      const kill = docker.getContainer(found.handle).kill({ signal: "SIGKILL" });
      return kill.then(
        () => true,
        () => false,
      );
    },
    end: async () => {
      await endContainers(folders.dataDir);
      collector.closeAllConnections();
      collector.close();
      await docker.getImage(TAG).remove({ force: true });
    },
  };
}

async function buildAppImage(docker: Docker): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-chaos-image-"));
  await cp(SOURCE, path.join(folder, "server.mjs"));
  await cp(BOMBS, path.join(folder, path.basename(BOMBS)));
  await writeFile(
    path.join(folder, "Dockerfile"),
    'ARG BASE=node:24-alpine\nFROM ${BASE}\nCOPY *.mjs /\nCMD ["node", "/server.mjs"]\n',
  );
  await buildImage(docker, folder, TAG);
  await rm(folder, { recursive: true });
  const image = await findImage(docker, TAG);
  if (image === undefined) throw new Error(`the engine built ${TAG} and does not have it`);
  return image.id;
}
