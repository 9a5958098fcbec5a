import path from "node:path";
import Docker from "dockerode";
import { type Environment, readAppLimits } from "../../platform/environment";
import { type DockerOptions, dockerRuntime } from "./docker";
import { findEngineFailure } from "./docker-engine";
import { processRuntime } from "./process";
import { type BundleKind, InstanceFailure, type Runtime } from "./runtime";

export interface RuntimeDescription {
  name: Runtime["name"];
  isolates: boolean;
  /** Why it cannot be used now and how to fix that; undefined if it can. */
  unavailable?: string;
}

export interface Runtimes {
  all: Runtime[];
  byName(name: string): Runtime | undefined;
  /**
   * The runtime for this kind of version. Throws UNAVAILABLE with a solution if there is none.
   * @param isolated the version has run in a container, so it never runs as a process again
   */
  forBundle(kind: BundleKind, isolated: boolean): Promise<Runtime>;
  /** The runtime that isolates apps; undefined while it cannot be used. */
  findIsolating(): Promise<Runtime | undefined>;
  describe(): Promise<RuntimeDescription[]>;
}

/** A runtime that only its setting chooses, and why it can't be used now. */
export interface ChosenRuntime {
  runtime: Runtime;
  findFailure: () => Promise<InstanceFailure | undefined>;
}

type ContainerOptions = Pick<DockerOptions, "egress" | "warn">;

/**
 * @param cluster of a platform whose apps run in a cluster
 * @param containers `egress`: of a platform whose containers reach only what their manifests declare
 */
export function createRuntimes(
  environment: Environment,
  cluster?: ChosenRuntime,
  containers: ContainerOptions = {},
): Runtimes {
  return cluster === undefined ? ofThisMachine(environment, containers) : ofCluster(environment, cluster);
}

/** Nothing falls back to this machine: what runs there would be neither isolated nor where the operator looks. */
function ofCluster(environment: Environment, { runtime, findFailure }: ChosenRuntime): Runtimes {
  const { name, isolates } = runtime;
  const whyNot = async () => whatIsNotSet(environment) ?? findFailure();
  return {
    all: [runtime],
    byName: (wanted) => (wanted === name ? runtime : undefined),
    forBundle: async (kind) => {
      const failure = kind === "image" ? await whyNot() : NO_EXAMPLES;
      if (failure !== undefined) throw failure;
      return runtime;
    },
    findIsolating: async () => ((await whyNot()) === undefined ? runtime : undefined),
    describe: async () => [{ name, isolates, unavailable: (await whyNot())?.detail }],
  };
}

const NO_EXAMPLES = new InstanceFailure(
  "RUNTIME_NOT_AVAILABLE",
  "This platform runs only images (PLATFORM_RUNTIME=kubernetes). Publish an image instead of an example's folder.",
);

function whatIsNotSet(environment: Environment): InstanceFailure | undefined {
  // Otherwise every app would seem not to listen.
  if (environment.PLATFORM_KUBERNETES_CALLERS.length === 0)
    return new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      "Network policies would block all calls to apps. Set PLATFORM_KUBERNETES_CALLERS to gateway and worker, then restart the worker.",
    );
  const guard = whatGuardsLack(environment);
  if (guard !== undefined) return new InstanceFailure("RUNTIME_NOT_AVAILABLE", guard);
  if (environment.PLATFORM_REGISTRY_URL !== "") return undefined;
  return new InstanceFailure(
    "RUNTIME_NOT_AVAILABLE",
    "The cluster's nodes pull images from a registry, and this platform stores them in a folder. Set PLATFORM_REGISTRY_URL, then restart the worker.",
  );
}

/** Nothing falls back to an open network. */
function whatGuardsLack(environment: Environment): string | undefined {
  const { PLATFORM_EGRESS: egress, PLATFORM_EGRESS_SERVICE: service } = environment;
  if (egress === "open" || (egress === "auto" && service === "")) return undefined;
  const needed = {
    PLATFORM_EGRESS_SERVICE: service,
    PLATFORM_EGRESS_NAMES: environment.PLATFORM_EGRESS_NAMES,
    PLATFORM_EGRESS_PODS: environment.PLATFORM_EGRESS_PODS.length > 0,
    PLATFORM_EGRESS_KEY: environment.PLATFORM_EGRESS_KEY,
    // It waits until the guards know the app.
    PLATFORM_KUBERNETES_GUARD_IMAGE: environment.PLATFORM_KUBERNETES_GUARD_IMAGE,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === 0) return undefined;
  return `Apps start only with the cluster's egress guards. Set ${missing.join(", ")} (or PLATFORM_EGRESS=open), then restart the worker. See docs/kubernetes.md.`;
}

function ofThisMachine(environment: Environment, options: ContainerOptions): Runtimes {
  const docker = new Docker();
  const { dataDir, PLATFORM_APP_SUBNETS: appSubnets } = environment;
  const examplesFolder = path.resolve(process.cwd(), "examples");
  const containers = dockerRuntime(
    { dataDir, examplesFolder, appSubnets, limits: readAppLimits(environment), ...options },
    docker,
  );
  const processes = processRuntime({
    dataDir,
    examplesFolder,
    production: environment.production,
  });
  const whyNot = async (runtime: Runtime) =>
    runtime === containers ? whyNoDocker(environment, docker) : whyNoProcesses(environment);
  const all = [containers, processes];

  return {
    all,
    byName: (name) => all.find((runtime) => runtime.name === name),
    forBundle: async (kind, isolated) => {
      const runtime = kind === "image" || isolated ? containers : processes;
      const failure = await whyNot(runtime);
      if (failure !== undefined) throw failure;
      return runtime;
    },
    findIsolating: async () => ((await whyNot(containers)) === undefined ? containers : undefined),
    describe: () =>
      Promise.all(
        all.map(async (runtime) => ({
          name: runtime.name,
          isolates: runtime.isolates,
          unavailable: (await whyNot(runtime))?.detail,
        })),
      ),
  };
}

async function whyNoDocker(environment: Environment, docker: Docker): Promise<InstanceFailure | undefined> {
  if (environment.PLATFORM_RUNTIME === "process") {
    return new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      "This platform runs only example apps (PLATFORM_RUNTIME=process). Set PLATFORM_RUNTIME=auto to run images.",
    );
  }
  const failure = await findEngineFailure(docker);
  if (failure === undefined) return undefined;
  const fix = failure.includes("EACCES")
    ? "This user is not allowed to use the engine's socket: add it to the socket's group (usually docker), then restart the platform."
    : "Start Docker, which the platform then uses, or set DOCKER_HOST to its socket and restart the platform.";
  return new InstanceFailure("ENGINE_UNREACHABLE", `No container engine responds (${failure}). ${fix}`);
}

function whyNoProcesses(environment: Environment): InstanceFailure | undefined {
  if (environment.production)
    return new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      "Example folders are not isolated, so they do not run in production. Publish an image.",
    );
  if (environment.PLATFORM_RUNTIME === "docker") {
    return new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      "This platform runs only images (PLATFORM_RUNTIME=docker). Set PLATFORM_RUNTIME=auto to run example folders.",
    );
  }
  return undefined;
}
