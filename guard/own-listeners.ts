/**
 * On an engine, each app has a network with two addresses, its own and the guard's. The guard listens on each of its addresses separately, so
 * what arrives there comes from this app.
 */
import type { EgressPolicy, FailedPolicy, GuardedNetwork } from "@/lib/contract/runtime/egress";
import { STATE_RELAY_PORT } from "@/lib/domain/platform/guarded-app";
import { listPorts } from "@/lib/domain/runtime/egress/allowed-hosts";
import type { AppGuard } from "./app-guard";
import { adjust, listen, listenForQueries, NAME_PORT, type Openers } from "./listen";
import type { Listening } from "./rules";

/** The guard's address in a network never changes. */
const SECONDS = 30;

type Listeners = Parameters<typeof adjust>[0];

export function createOwnListeners(): Listening {
  const opened = new Map<AppGuard, Listeners>();

  async function applyTo(app: AppGuard): Promise<FailedPolicy[]> {
    const { id, network } = app.policy;
    const listeners: Listeners = opened.get(app) ?? new Map();
    opened.set(app, listeners);
    if (network === undefined) return [{ id, reason: "the app has no network of its own" }];
    const failed = await adjust(listeners, listOpeners(app, app.policy, network));
    return [...failed.values()].slice(0, 1).map((reason) => ({ id, reason }));
  }

  return {
    lead: ({ network }) => {
      const guard = { address: network?.guardAddress ?? "0.0.0.0", seconds: SECONDS };
      return { guard, stateApi: guard };
    },
    apply: async (apps) => {
      for (const [app, listeners] of opened)
        if (!apps.includes(app)) {
          await adjust(listeners, new Map());
          opened.delete(app);
        }
      const failed: FailedPolicy[] = [];
      for (const app of apps) failed.push(...(await applyTo(app)));
      return failed;
    },
  };
}

function listOpeners(
  app: AppGuard,
  policy: EgressPolicy,
  { guardAddress, callAddress, callPort }: GuardedNetwork,
): Openers {
  const answer = (message: Buffer, { address }: { address: string }) =>
    address === app.policy.appAddress ? app.answer(message) : undefined;
  const openers: Openers = new Map([
    ["names udp", () => listenForQueries(guardAddress, answer)],
    ["names tcp", () => listen(guardAddress, NAME_PORT, (socket) => app.serveQueries(socket))],
    ["state", () => listen(guardAddress, STATE_RELAY_PORT, (socket) => app.relayState(socket))],
    [`call ${callAddress}`, () => listen(callAddress, callPort, (socket) => app.relayCall(socket))],
  ]);
  for (const port of listPorts(policy))
    openers.set(`port ${port}`, () => listen(guardAddress, port, (socket) => app.accept(socket, port)));
  return openers;
}
