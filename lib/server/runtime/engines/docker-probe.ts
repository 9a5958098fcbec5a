/**
 * Tries addresses from inside a container with the limits and the network of an app, without pulling an image: it runs this
 * machine's Node. A second container acts as another app.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import { z } from "zod";
import { REACHES } from "@/lib/contract/runtime/isolation";
import { CONTAINER_PORT } from "@/lib/domain/platform/app-limits";
import { DEFAULT_APP_LIMITS } from "../../platform/environment";
import { containerOptions, type GuardedPlace, runContainer } from "./docker-container";
import { isStatus, joinFrames } from "./docker-engine";
import { ensureBaseImage } from "./docker-example-image";
import { createGuardedNetwork, type EgressGuard } from "./docker-guard";
import { guardName, leaveNetwork } from "./docker-guard-container";
import { type EngineImage, findImage } from "./docker-image";
import { addressIn } from "./docker-network";
import { InstanceFailure, NEIGHBOR, NETWORK_GATEWAY, type ProbeResult, type ProbeTarget } from "./runtime";

interface ProbeOptions {
  owner: string;
  appSubnets: string;
  takeSubnet: () => string;
  guard: EgressGuard | undefined;
}

/** Marks what a probe created. Not an app's labels, so that nobody takes it for an app. */
const PROBE_LABEL = "platform.probe-of";
const NODE = "/usr/local/bin/node";
/** All targets are nearby. */
const CONNECT_MS = 500;
/** A probe that takes longer is removed. The state API may take a moment at the platform's start. */
const LIMIT_MS = 60_000;
/** After this time, what another probe left behind is no longer in use. */
const ABANDONED_SECONDS = 120;
const POLL_MS = 25;

const NEIGHBOR_SCRIPT = `require("node:net").createServer((socket) => socket.destroy())
  .listen(${CONTAINER_PORT}, () => console.log("listening"));
process.on("SIGTERM", () => process.exit(0));
setTimeout(() => process.exit(0), ${LIMIT_MS});`;

const PROBE_SCRIPT = `
const { connect } = require("node:net");
const { lookup } = require("node:dns");
const { get } = require("node:http");
const name = ({ code }) =>
  code === "ECONNREFUSED" || code === "ECONNRESET" ? "refused" : code === "ETIMEDOUT" ? "timed out" : "unreachable";
const reach = ({ host, port, path, isName }) => new Promise((resolve) => {
  // After a pause of this process, the timer runs first although an answer is there. The next turn of the event loop sees it.
  const timer = setTimeout(() => setImmediate(() => end("timed out")), ${CONNECT_MS});
  const request = isName
    ? lookup(host, 4, (error) => end(error ? "unreachable" : "answered"))
    : path === undefined
    ? connect({ host, port }, () => end("answered"))
    : get({ host, port, path, agent: false }, (answer) => end(answer.statusCode === 200 ? "answered" : "refused"));
  const end = (seen) => { clearTimeout(timer); request.destroy?.(); resolve(seen); };
  request.on?.("error", (error) => end(name(error)));
});
const attempt = async (target) => {
  const until = Date.now() + (target.retryMs ?? 0);
  for (;;) {
    const seen = await reach(target);
    if (seen === "answered" || Date.now() >= until) return { address: target.host + ":" + target.port, seen };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
Promise.all(JSON.parse(process.argv[1]).map(attempt)).then((results) => {
  console.log(JSON.stringify(results));
  // Look-ups may still wait.
  process.exit(0);
});`;

const probeResults = z.array(z.object({ address: z.string(), seen: z.enum(REACHES) }));

export async function probeFromContainer(
  docker: Docker,
  options: ProbeOptions,
  targets: readonly ProbeTarget[],
): Promise<ProbeResult[]> {
  const base = await ensureBaseImage(docker);
  const image = base === undefined ? undefined : await findImage(docker, base);
  if (image === undefined)
    throw new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      "What apps can reach can be checked only if the worker runs on Linux (x64), on the container engine's machine.",
    );
  const created: Created = { containers: [], networks: [] };
  try {
    return await within(LIMIT_MS, probe(docker, options, image, targets, created));
  } finally {
    await remove(docker, options.owner, created);
  }
}

interface Created {
  containers: Docker.Container[];
  networks: string[];
}

async function probe(
  docker: Docker,
  options: ProbeOptions,
  image: EngineImage,
  targets: readonly ProbeTarget[],
  created: Created,
): Promise<ProbeResult[]> {
  const create = async (
    { name: network, place }: Pick<ProbeNetwork, "name" | "place">,
    script: string,
    ...args: string[]
  ) => {
    // As an app, apart from what runs and what its labels say.
    const order = {
      bundleKind: "image" as const,
      versionId: "",
      replica: 0,
      organizationId: "",
      appName: "probe",
      imageDigest: image.id,
      imageReference: null,
      openArchive: () => Promise.reject(new Error("a probe has no archive")),
      environment: { PLATFORM_STATE_API: "http://host.docker.internal" },
    };
    const container = await runContainer(docker, {
      ...containerOptions(options.owner, order, image, network, DEFAULT_APP_LIMITS, place),
      name: createName(),
      Labels: { [PROBE_LABEL]: options.owner },
      Entrypoint: [NODE],
      Cmd: ["-e", script, ...args],
    });
    created.containers.push(container);
    return container;
  };
  const stateApi = targets.find(({ isStateApi }) => isStateApi);
  const origin = stateApi && `http://${stateApi.host}:${stateApi.port}`;
  const [ownNetwork, otherNetwork] = await Promise.all([
    createNetwork(docker, options, created, origin),
    createNetwork(docker, options, created, origin),
  ]);
  const neighbor = await create(otherNetwork, NEIGHBOR_SCRIPT);
  while (!(await readLog(neighbor)).includes("listening")) await sleep(POLL_MS);
  const { NetworkSettings } = await neighbor.inspect();
  const neighborAddress = NetworkSettings.Networks[otherNetwork.name]?.IPAddress ?? "";
  const run = async (
    network: Pick<ProbeNetwork, "name" | "place">,
    tried: readonly ProbeTarget[],
  ): Promise<ProbeResult[]> => {
    if (tried.length === 0) return [];
    const prober = await create(network, PROBE_SCRIPT, JSON.stringify(tried));
    const { StatusCode: exitCode } = z.object({ StatusCode: z.number() }).parse(await prober.wait());
    const printed = await readLog(prober);
    if (exitCode !== 0) throw new Error(`the probe exited with code ${exitCode}: ${printed.slice(0, 500)}`);
    return probeResults.parse(JSON.parse(printed));
  };
  const filled = targets.map((target) => {
    if (target.isStateApi === true && ownNetwork.place !== undefined) {
      const { hostname: host, port } = new URL(ownNetwork.place.stateApi);
      return { ...target, host, port: Number(port) };
    }
    if (target.host === NETWORK_GATEWAY) return { ...target, host: ownNetwork.gateway };
    return target.host === NEIGHBOR ? { ...target, host: neighborAddress, port: CONTAINER_PORT } : target;
  });
  const isOutside = ({ isOutside = false }: ProbeTarget) => isOutside && options.guard !== undefined;
  const [inside, outside] = await Promise.all([
    run(
      ownNetwork,
      filled.filter((target) => !isOutside(target)),
    ),
    run({ name: guardName(options.owner) }, filled.filter(isOutside)),
  ]);
  const [nextInside, nextOutside] = [inside.values(), outside.values()];
  return filled.flatMap((target) => (isOutside(target) ? nextOutside : nextInside).next().value ?? []);
}

const createName = () => `platform-probe-${randomUUID().slice(0, 8)}`;

interface ProbeNetwork {
  name: string;
  /** This machine's address in it, which it does not have in a network that leads only to the guard. */
  gateway: string;
  place?: GuardedPlace;
}

async function createNetwork(
  docker: Docker,
  { owner, appSubnets, takeSubnet, guard }: ProbeOptions,
  created: Created,
  stateApi = "http://127.0.0.1",
): Promise<ProbeNetwork> {
  const name = createName();
  created.networks.push(name);
  const { subnet, place } = await createGuardedNetwork(
    { docker, appSubnets, takeSubnet },
    { name, labels: { [PROBE_LABEL]: owner }, guard, stateApi },
  );
  if (place !== undefined) return { name, gateway: addressIn(subnet, 1), place };
  const inspected: { IPAM?: { Config?: { Gateway?: string; Subnet?: string }[] } } = await docker
    .getNetwork(name)
    .inspect();
  const [config] = inspected.IPAM?.Config ?? [];
  // The engine chooses the subnet's first address. It reports it only once the network is in use.
  const first = config?.Subnet?.split("/")[0]?.replace(/\d+$/, (last) => String(Number(last) + 1));
  return { name, gateway: config?.Gateway ?? first ?? "" };
}

async function readLog(container: Docker.Container): Promise<string> {
  return joinFrames(await container.logs({ stdout: true, stderr: true, follow: false })).toString("utf8");
}

async function remove(docker: Docker, owner: string, { containers, networks }: Created): Promise<void> {
  const ignoreMissing = (error: unknown) => {
    if (!isStatus(error, 403, 404, 409)) throw error;
  };
  await Promise.all(containers.map((each) => each.remove({ force: true, v: true }).catch(ignoreMissing)));
  await Promise.all(
    networks.map(async (name) => {
      await leaveNetwork(docker, owner, name);
      await docker.getNetwork(name).remove().catch(ignoreMissing);
    }),
  );
}

/** Removes what a worker left that died during a probe. */
export async function removeAbandonedProbes(docker: Docker, owner: string): Promise<void> {
  const filters = { label: [`${PROBE_LABEL}=${owner}`] };
  const oldest = Date.now() / 1000 - ABANDONED_SECONDS;
  const containers = (await docker.listContainers({ all: true, filters })).filter(
    ({ Created }) => Created < oldest,
  );
  const networks: { Name: string; Created?: string }[] = await docker.listNetworks({ filters });
  await remove(docker, owner, {
    containers: containers.map(({ Id }) => docker.getContainer(Id)),
    networks: networks
      .filter(({ Created }) => Created !== undefined && Date.parse(Created) / 1000 < oldest)
      .map(({ Name }) => Name),
  });
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const failure = new InstanceFailure(
      "ENGINE_FAILED",
      `The check took more than ${ms / 1000} s. Check again when the machine is less busy.`,
    );
    timer = setTimeout(() => reject(failure), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
