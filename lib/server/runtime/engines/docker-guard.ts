/**
 * The egress guard: started, joined to apps' networks, told the rules, and told them again when it was restarted. Everything that it needs is
 * in the engine (networks with labels) and in the database (rules), so any worker can do it, also one that just started.
 *
 * away → running (`ensureGuard`) → joined (`joinNetworks`) → attached (`attach`) → told (`tell`); when the connection ends, from the start.
 */
import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { EgressPolicy, EgressWay, GuardedNetwork } from "@/lib/contract/runtime/egress";
import { STATE_RELAY_PORT } from "@/lib/domain/platform/guarded-app";
import { callPortOf } from "@/lib/domain/runtime/egress/egress-limits";
import { GUARDED_LABEL, type GuardedPlace, VERSION_LABEL } from "./docker-container";
import {
  APP,
  CLOSED_NETWORK,
  ensureGuard,
  findGuardAddress,
  findUnfit,
  GUARD,
  guardName,
  joinNetwork,
  joinNetworks,
  listGuarded,
  type GuardedEngine,
} from "./docker-guard-container";
import { isUnreachable } from "./docker-engine";
import { addressIn, createAppNetwork, indexOfSubnet, isReachable } from "./docker-network";
import { type GuardLink, type GuardOptions, linkGuard } from "./guard-link";
import { InstanceFailure, quoteMessage } from "./runtime";

export interface EgressGuard {
  /** Whether apps that start now get it. Once they do, all do as long as the worker runs. */
  way(): Promise<EgressWay>;
  /** Labels of a network that the guard joins. */
  labels(stateApi: string): Record<string, string>;
  place(subnet: string): GuardedPlace;
  /** Joins the network and puts its rules into force. Throws an InstanceFailure if it can't be done in time. */
  open(networkName: string, guardAddress: string): Promise<void>;
  /**
   * Where the platform reaches an app; undefined while its guard doesn't run.
   * @param guardedBy the owner of its guard, if another launch on this engine started it
   */
  originOf(appAddress: string, guardedBy?: string): Promise<string | undefined>;
  /** Reads the rules of all apps again, and puts them into force. */
  refresh(): Promise<void>;
  /** Ends the connection. The guard runs on. */
  close(): void;
}

const STATE_API_LABEL = "platform.state-api";
/** Of the guard's own container. */
const LOOPBACK = "127.0.0.0/8";

/** Nothing listens there, which the guard's container says. */
const UNUSED_PORT = 9;

const CHOOSE_AGAIN_MS = 60_000;

const AGAIN_MS = 200;

/** The guard of this platform on this engine. Connects when it is first needed, and then stays connected. */
export function createGuard(engine: GuardedEngine, options: GuardOptions): EgressGuard {
  const { docker, owner, appSubnets } = engine;
  const from = randomUUID();
  const ending = new AbortController();
  let connection: Promise<Connection> | undefined;
  let told = "";
  let sequence = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** Reconnects by itself when it ends, so that a guard that died has its rules again. */
  function connected(): Promise<Connection> {
    connection ??= connectGuard(engine, options, from).then(
      (found) => {
        void found.ended.then(() => {
          connection = undefined;
          told = "";
          if (!ending.signal.aborted) void reconnect();
        });
        return found;
      },
      (error: unknown) => {
        connection = undefined;
        throw error;
      },
    );
    return connection;
  }

  async function reconnect(): Promise<void> {
    while (!ending.signal.aborted) {
      const isDone = await refresh().then(
        () => true,
        () => false,
      );
      if (isDone) return;
      await sleep(AGAIN_MS);
    }
  }

  /** One after another, so that an older state never replaces a newer one. */
  function refresh(opened?: string): Promise<void> {
    const next = last.then(() => tell(opened));
    last = next.catch(() => undefined);
    return next;
  }

  /** @param opened the network that must be in force then */
  async function tell(opened?: string): Promise<void> {
    const apps = await listApps(engine, options);
    // No app needs it yet.
    if (apps.length === 0 && connection === undefined) return;
    const guard = await connected();
    const rest = {
      policies: apps.map((app) => joinPolicy(app, guard.address)),
      own: ownAddresses(),
      places: options.places ?? [],
      never: [appSubnets, LOOPBACK],
      authorities: (await options.readAuthorities?.()) ?? "",
    };
    const now = JSON.stringify(rest);
    if (now === told) return;
    sequence += 1;
    const failed = await guard.tell({ sequence, from, ...rest });
    told = failed.length === 0 ? now : "";
    const first = failed.find(({ id }) => id === opened);
    // Another app's network may have been created and not joined yet, or its worker died before it joined it.
    if (failed.length > 0 && first === undefined) await joinNetworks(engine, guard.id);
    if (first !== undefined)
      throw new InstanceFailure(
        "NETWORK_FAILED",
        `The egress guard could not open the app's network: ${first.reason}. Try again; the guard's log has more: docker logs ${guardName(owner)}.`,
      );
  }

  let chosen: Promise<EgressWay> | undefined;

  function way(): Promise<EgressWay> {
    chosen ??= choose().then(
      (found) => {
        // What kept it from starting may be over.
        if (found.way !== "guard") setTimeout(() => (chosen = undefined), CHOOSE_AGAIN_MS).unref();
        return found;
      },
      (error: unknown) => {
        chosen = undefined;
        throw error;
      },
    );
    return chosen;
  }

  async function choose(): Promise<EgressWay> {
    if (options.isRequired) return { way: "guard" };
    const unfit = await findUnfit(docker);
    if (unfit !== undefined) return { way: "open", why: unfit };
    // Where apps are behind it already, what can't be reached for a moment opens nothing to those that start now.
    if ((await listGuarded(docker, owner)).length > 0) return { way: "guard" };
    try {
      const { address } = await connected();
      await refresh();
      if (await isReachable(address, UNUSED_PORT)) return { way: "guard" };
      return { way: "open", why: "The worker can't connect to the egress guard's container." };
    } catch (error) {
      if (isUnreachable(error)) throw error;
      const message = error instanceof Error ? quoteMessage(error.message) : String(error);
      return { way: "open", why: `The egress guard can't be started: ${message}.` };
    }
  }

  return {
    way,
    labels: (stateApi) => ({ [GUARDED_LABEL]: owner, [STATE_API_LABEL]: stateApi }),
    place: (subnet) => {
      const guardAddress = addressIn(subnet, GUARD);
      const stateApi = `http://${guardAddress}:${STATE_RELAY_PORT}`;
      return { appAddress: addressIn(subnet, APP), guardAddress, stateApi };
    },
    open: async (networkName, guardAddress) => {
      const guard = await connected();
      await joinNetwork(docker, guard.id, networkName, guardAddress);
      await refresh(networkName);
    },
    originOf: async (appAddress, guardedBy = owner) => {
      const address =
        guardedBy === owner ? (await connected()).address : await findGuardAddress(docker, guardedBy);
      if (address === undefined) return undefined;
      return `http://${address}:${callPortOf(indexOfSubnet(appSubnets, appAddress))}`;
    },
    refresh: () => refresh(),
    close: () => {
      ending.abort();
      void connection?.then((guard) => guard.close()).catch(() => undefined);
    },
  };
}

interface Connection extends GuardLink {
  /** Of the container. */
  id: string;
  /** In the network that leads out. */
  address: string;
}

async function connectGuard(engine: GuardedEngine, options: GuardOptions, from: string): Promise<Connection> {
  const { docker } = engine;
  const { id, address } = await ensureGuard(engine, options.nameServers);
  await joinNetworks(engine, id);
  const stream = await docker
    .getContainer(id)
    .attach({ stream: true, stdin: true, stdout: true, stderr: false, hijack: true });
  const output = new PassThrough();
  docker.modem.demuxStream(stream, output, new PassThrough().resume());
  const lines = createInterface({ input: output });
  return { id, address, ...linkGuard({ stream, lines, from, noteCounts: options.noteCounts }) };
}

// Its rules.

type App = Omit<EgressPolicy, "network"> & { network: Omit<GuardedNetwork, "callAddress"> };

async function listApps(
  { docker, owner, appSubnets }: GuardedEngine,
  { readAllowed }: GuardOptions,
): Promise<App[]> {
  const networks = await listGuarded(docker, owner);
  const versions = [...new Set(networks.map(({ labels }) => labels[VERSION_LABEL] ?? ""))];
  const allowed = await readAllowed(versions.filter((id) => id !== ""));
  return networks.map(({ Name, subnet, labels }) => {
    const versionId = labels[VERSION_LABEL] ?? "";
    const stateApi = new URL(labels[STATE_API_LABEL] ?? "http://127.0.0.1");
    const appAddress = addressIn(subnet, APP);
    return {
      id: Name,
      versionId,
      appAddress,
      stateApi: { host: stateApi.hostname, port: Number(stateApi.port || 80) },
      network: {
        guardAddress: addressIn(subnet, GUARD),
        callPort: callPortOf(indexOfSubnet(appSubnets, appAddress)),
      },
      ...(allowed.get(versionId) ?? { anyHost: false, rules: [] }),
    };
  });
}

const joinPolicy = (app: App, callAddress: string): EgressPolicy => ({
  ...app,
  network: { ...app.network, callAddress },
});

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);
  // Bridges of apps come and go; their range is closed as a whole.
  return [...new Set(all.filter((address) => address.includes(".")))].sort();
}

interface NetworkOrder {
  name: string;
  labels: Record<string, string>;
  /** Without a guard, the network leads to the machine and out of it. */
  guard: EgressGuard | undefined;
  /** Its origin, to which the guard relays. */
  stateApi: string;
}

/** The network of an app, or of what acts as one. With a guard, it leads only there, and the rules are in force when this returns. */
export async function createGuardedNetwork(
  {
    docker,
    appSubnets,
    takeSubnet,
  }: Pick<GuardedEngine, "docker" | "appSubnets"> & { takeSubnet: () => string },
  { name, labels, guard, stateApi }: NetworkOrder,
): Promise<{ subnet: string; place: GuardedPlace | undefined }> {
  const options =
    guard === undefined
      ? { Labels: labels, Options: { "com.docker.network.bridge.enable_icc": "false" } }
      : { Labels: { ...labels, ...guard.labels(stateApi) }, ...CLOSED_NETWORK };
  const subnet = await createAppNetwork(docker, appSubnets, takeSubnet, { Name: name, ...options });
  const place = guard?.place(subnet);
  if (place !== undefined) await guard?.open(name, place.guardAddress);
  return { subnet, place };
}
