/**
 * In a cluster, all apps reach the guard at its one address, and the network says who connects: the source of a connection is the address of
 * the app's Pod. An address that no app has gets nothing, and is counted nowhere.
 */
import { isIPv4, type Socket } from "node:net";
import type { EgressPolicy, FailedPolicy } from "@/lib/contract/runtime/egress";
import { listPorts } from "@/lib/domain/runtime/egress/allowed-hosts";
import type { AppGuard, Lead } from "./app-guard";
import { adjust, listen, listenForQueries, NAME_PORT, type Openers } from "./listen";
import type { Listening } from "./rules";
import type { StateAddresses } from "./state-addresses";

/** Guards come and go: soon after one left, apps find another. */
const SECONDS = 5;
/** The state API's Service stays where it is. */
const STATE_SECONDS = 30;

export interface SharedListeners extends Listening {
  /** Whether an app has this address. */
  isApp(address: string | undefined): boolean;
  /**
   * Whether the rules of the Pod with this UID are in force, asked from its own address. If another has rules at this address, the other is
   * gone: it gets nothing anymore.
   */
  knows(uid: string, from: string | undefined): boolean;
}

/** @param address the guard's own */
export function createSharedListeners(address: string, stateAddresses: StateAddresses): SharedListeners {
  const listeners: Parameters<typeof adjust>[0] = new Map();
  let holders = new Map<string, AppGuard>();
  /** UIDs of Pods that have an address, as they said, while the rules there are of another. */
  const claims = new Map<string, string>();
  /** Policies whose ports are open. */
  let inForce = new Set<string>();

  function find(from: string | undefined): AppGuard | undefined {
    const app = holders.get(from ?? "");
    return app !== undefined && !claims.has(app.policy.appAddress) ? app : undefined;
  }

  const dispatch = (serve: (app: AppGuard, socket: Socket) => void) => (socket: Socket) => {
    const app = find(socket.remoteAddress);
    if (app !== undefined) serve(app, socket);
    else socket.on("error", () => undefined).destroy();
  };

  function findState({ stateApi: { host } }: EgressPolicy): string | undefined {
    return isIPv4(host) ? host : stateAddresses.get(host);
  }

  function hold(apps: readonly AppGuard[]): void {
    const next = new Map<string, AppGuard>();
    for (const app of apps) {
      const { appAddress } = app.policy;
      const other = next.get(appAddress);
      if (other === undefined || created(other) < created(app)) next.set(appAddress, app);
    }
    for (const [at, app] of holders) if (next.get(at) !== app) app.cut();
    holders = next;
    for (const [at, uid] of claims) {
      const id = holders.get(at)?.policy.id;
      if (id === undefined || id === uid) claims.delete(at);
    }
  }

  return {
    lead: (policy): Lead => {
      const state = findState(policy);
      return {
        guard: { address, seconds: SECONDS },
        ...(state !== undefined && { stateApi: { address: state, seconds: STATE_SECONDS } }),
      };
    },
    apply: async (apps) => {
      hold(apps);
      inForce = new Set(apps.map(({ policy }) => policy.id).filter((id) => inForce.has(id)));
      await stateAddresses.want(
        apps.map(({ policy }) => policy.stateApi.host).filter((host) => !isIPv4(host)),
      );
      const closed = await adjust(listeners, listOpeners());
      const failed = apps.flatMap(({ policy }) => explainFailure(policy, closed) ?? []);
      const without = new Set(failed.map(({ id }) => id));
      inForce = new Set(apps.map(({ policy }) => policy.id).filter((id) => !without.has(id)));
      return failed;
    },
    isApp: (from) => holders.has(from ?? ""),
    knows: (uid, asked) => {
      const from = asked ?? "";
      const app = holders.get(from);
      if (app === undefined) return false;
      if (app.policy.id === uid) {
        claims.delete(from);
        return inForce.has(uid);
      }
      claims.set(from, uid);
      app.cut();
      return false;
    },
  };

  function listOpeners(): Openers {
    if (holders.size === 0) return new Map();
    const openers: Openers = new Map([
      [
        "names udp",
        () => listenForQueries(address, (message, { address: from }) => find(from)?.answer(message)),
      ],
      [
        "names tcp",
        () =>
          listen(
            address,
            NAME_PORT,
            dispatch((app, socket) => app.serveQueries(socket)),
          ),
      ],
    ]);
    for (const port of new Set([...holders.values()].flatMap(({ policy }) => listPorts(policy)))) {
      const accept = dispatch((app, socket) => app.accept(socket, port));
      openers.set(`port ${port}`, () => listen(address, port, accept));
    }
    return openers;
  }

  function explainFailure(
    policy: EgressPolicy,
    failed: ReadonlyMap<string, string>,
  ): FailedPolicy | undefined {
    const { id, stateApi } = policy;
    if (findState(policy) === undefined)
      return { id, reason: `the state API's name ${stateApi.host} has no address in the cluster` };
    const needed = ["names udp", "names tcp", ...listPorts(policy).map((port) => `port ${port}`)];
    const reason = needed.map((key) => failed.get(key)).find((each) => each !== undefined);
    return reason === undefined ? undefined : { id, reason };
  }
}

const created = ({ policy }: AppGuard) => policy.createdAt ?? 0;
