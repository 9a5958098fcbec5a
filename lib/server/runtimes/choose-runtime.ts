import path from "node:path";
import Docker from "dockerode";
import { Problem } from "@/lib/contract/problem";
import type { Environment } from "../platform/environment";
import { dockerRuntime } from "./docker";
import { processRuntime } from "./process";
import type { Runtime } from "./runtime";

const PING_MS = 3_000;

export type BundleKind = "image" | "example-folder";

export interface RuntimeDescription {
  name: Runtime["name"];
  isolates: boolean;
  /** Undefined when it can be used now; otherwise why not, and how to mend it. */
  unavailable?: string;
}

/** The runtimes of one worker. */
export interface Runtimes {
  all: Runtime[];
  byName(name: string): Runtime | undefined;
  /** What runs a version of this kind. Throws UNAVAILABLE with the way out when nothing does. */
  forBundle(kind: BundleKind): Promise<Runtime>;
  /** For the banner and the health page. */
  describe(): Promise<RuntimeDescription[]>;
}

export function createRuntimes(environment: Environment): Runtimes {
  const docker = new Docker();
  const containers = dockerRuntime(environment.dataDir, docker);
  const processes = processRuntime({
    dataDir: environment.dataDir,
    examplesFolder: path.resolve(process.cwd(), "examples"),
    production: environment.production,
  });
  const unavailable: Record<Runtime["name"], () => Promise<string | undefined>> = {
    docker: () => whyNoDocker(environment, docker),
    process: async () => whyNoProcesses(environment),
  };
  const all = [containers, processes];

  return {
    all,
    byName: (name) => all.find((runtime) => runtime.name === name),
    forBundle: async (kind) => {
      const runtime = kind === "image" ? containers : processes;
      const reason = await unavailable[runtime.name]();
      if (reason !== undefined) throw new Problem("UNAVAILABLE", reason);
      return runtime;
    },
    describe: () =>
      Promise.all(
        all.map(async ({ name, isolates }) => ({ name, isolates, unavailable: await unavailable[name]() })),
      ),
  };
}

async function whyNoDocker(environment: Environment, docker: Docker): Promise<string | undefined> {
  if (environment.PLATFORM_RUNTIME === "process") {
    return "This platform runs example apps only (PLATFORM_RUNTIME=process). Set PLATFORM_RUNTIME=auto to run images.";
  }
  const fault = await pingFault(docker);
  return (
    fault &&
    `No container engine answers (${fault}). Start Docker, or name its socket in DOCKER_HOST, then launch again.`
  );
}

function whyNoProcesses(environment: Environment): string | undefined {
  if (environment.production)
    return "Example folders run without isolation, so they do not run in production. Publish an image.";
  if (environment.PLATFORM_RUNTIME === "docker") {
    return "This platform runs images only (PLATFORM_RUNTIME=docker). Set PLATFORM_RUNTIME=auto to run example folders.";
  }
  return undefined;
}

/** Undefined when the engine answers within 3 seconds. */
export async function pingFault(docker = new Docker()): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${PING_MS / 1000} s`), PING_MS);
  });
  const asked = docker.ping().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
