/** Decides which requests are handled now, which wait for a moment, and which are refused, so that no caller uses up what all of them share. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "@/lib/contract/platform/problem";
import type { Platform } from "@/lib/server/platform/platform";
import { readAddress, toNetwork } from "@/lib/server/platform/requests/read-request";
import {
  type Budget,
  createBudget,
  createShare,
  isRefusal,
  type Place,
  type Share,
} from "@/lib/server/platform/requests/share";
import { isProbe } from "@/lib/server/surface/api/all-routes";
import { PLACES } from "@/lib/server/surface/metrics/all-metrics";
import { type Route, WORK_CLASSES, type WorkClass } from "@/lib/server/surface/api/routes/route";
import { type Caller, createCallerLookup } from "./identify-caller";
import { createTurns, type Loop, type Turns, watchLoop, watchPasses } from "./take-turns";
import { explainRefusal, type Limit, limitsOf, overloaded } from "./work-class";

interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface Admission {
  /** Throws TOO_MANY_REQUESTS or OVERLOADED. The end of the response gives back everything that the request was granted. */
  admit: (route: Route, parts: readonly string[], exchange: HttpExchange) => Promise<void> | void;
  /** To be called for each connection that a listener accepts. */
  noteConnection: () => void;
}

/** What the requests of one class share. */
interface Work {
  name: WorkClass;
  places: Share;
  perKey: () => number;
  /** Each tenant of an organization gets only a part of its places. */
  tenants: Share;
  perTenant: () => number;
  /** Undefined for requests so small that they start at once. */
  turns: Turns | undefined;
}

interface Step {
  share: Pick<Share, "enter" | "tryEnter">;
  key: string;
  /** What a refusal names. Undefined for a turn: too few turns mean that the gateway is busy. */
  limit?: Limit;
}

const MIB = 1024 * 1024;

/** Requests of a class that start in one pass of the event loop. Events are stored in groups, so that each costs little. */
const STARTS: Record<Exclude<WorkClass, "state">, number> = {
  calls: 16,
  events: 64,
  endpoints: 16,
  uploads: 16,
  streams: 16,
  other: 16,
};

export function createAdmission(platform: Platform): Admission {
  const identify = createCallerLookup(platform);
  const loop = { ...watchPasses(), isBusy: watchLoop() };
  const classes = new Map(WORK_CLASSES.map((name) => [name, createWork(platform, name, loop)]));
  platform.metrics.read(PLACES, () =>
    [...classes.values()].flatMap(({ name, places }) => {
      const { taken, waiting } = places.count();
      return [
        { labels: { work: name, state: "taken" }, value: taken },
        { labels: { work: name, state: "waiting" }, value: waiting },
      ];
    }),
  );
  const { total, each } = platform.environment.PLATFORM_SHARE_BODY_MB;
  const bodies = createBudget({ total: total * MIB, perKey: each * MIB });

  return {
    noteConnection: loop.noteConnection,
    admit: (route, parts, exchange) => {
      const work = classes.get(route.work);
      // Probes must get an answer even when the gateway is busy.
      if (work === undefined || isProbe(route.name)) return;
      const address = toNetwork(readAddress(platform.environment, exchange.request));
      const caller = identify(exchange.request, { work: work.name, routeBase: parts[0] ?? "", address });
      if (caller instanceof Promise) return caller.then((found) => enter(work, found, exchange));
      return enter(work, caller, exchange);
    },
  };

  /** Returns no promise if the request doesn't have to wait. */
  function enter(work: Work, caller: Caller, exchange: HttpExchange): Promise<void> | void {
    const steps = listSteps(work, caller);
    const granted: Place[] = [];
    for (const { share, key } of steps) {
      const place = share.tryEnter(key);
      if (isRefusal(place)) return wait(work, caller, exchange, steps, granted);
      granted.push(place);
    }
    grant(exchange, caller.key, granted);
  }

  /** @param granted by the first of the steps */
  async function wait(
    work: Work,
    caller: Caller,
    exchange: HttpExchange,
    steps: readonly Step[],
    granted: Place[],
  ): Promise<void> {
    for (const { share, key, limit } of steps.slice(granted.length)) {
      const place = await share.enter(key);
      if (isRefusal(place)) {
        leaveAll(granted);
        throw explainRefusal(work.name, limit, place);
      }
      granted.push(place);
    }
    grant(exchange, caller.key, granted);
  }

  /** What a request needs, in this order: a request that waits for a turn already has a place. */
  function listSteps(work: Work, { key, tenantId, isKnown }: Caller): Step[] {
    const whose = isKnown ? "Your organization" : "Your address";
    const steps: Step[] = [{ share: work.places, key, limit: { whose, most: work.perKey() } }];
    if (tenantId !== undefined)
      steps.unshift({
        share: work.tenants,
        key: tenantId,
        limit: { whose: "This tenant", most: work.perTenant() },
      });
    if (work.turns !== undefined) steps.push({ share: work.turns, key });
    return steps;
  }

  function grant({ request, response }: HttpExchange, key: string, places: readonly Place[]): void {
    if (response.destroyed) {
      leaveAll(places);
      throw CLOSED;
    }
    const closeAccount = request.method === "GET" ? undefined : openBodyAccount(request, bodies, key);
    response.once("close", () => {
      closeAccount?.();
      leaveAll(places);
    });
  }
}

function createWork({ environment }: Platform, name: WorkClass, loop: Loop): Work {
  const limits = limitsOf(name, environment);
  const perTenant = () => Math.ceil((limits.perKey() * 3) / 4);
  return {
    name,
    places: createShare(limits),
    perKey: limits.perKey,
    tenants: createShare({ ...limits, total: Infinity, perKey: perTenant }),
    perTenant,
    turns: name === "state" ? undefined : createTurns(loop, STARTS[name]),
  };
}

function leaveAll(places: readonly Place[]): void {
  for (const place of places) place.leave();
}

/** The client left while its request waited, so nobody gets this. Made once, because building an error is expensive. */
const CLOSED = new Error("the response is closed");

const RETRY_AFTER_SECONDS = 1;
const TOO_MUCH =
  "Your requests in progress contain too much data in total. Wait for some of them to finish, or send smaller ones.";

const accounts = new WeakMap<IncomingMessage, (bytes: number) => void>();

/** Charges the memory of a request's body to its caller. Returns a function that ends the charge. */
function openBodyAccount(request: IncomingMessage, budget: Budget, key: string): () => void {
  let charged = 0;
  accounts.set(request, (bytes) => {
    const full = budget.take(key, bytes);
    if (full === "total") throw overloaded("large requests", RETRY_AFTER_SECONDS);
    if (full === "key") throw new Problem("TOO_MANY_REQUESTS", TOO_MUCH, [], RETRY_AFTER_SECONDS);
    charged += bytes;
  });
  return () => {
    accounts.delete(request);
    if (charged > 0) budget.give(key, charged);
    charged = 0;
  };
}

/** Throws TOO_MANY_REQUESTS if the caller's requests keep too much in memory, OVERLOADED if those of all callers do. */
export function chargeBody(request: IncomingMessage, bytes: number): void {
  accounts.get(request)?.(bytes);
}
