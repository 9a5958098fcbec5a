/** Decides which requests are handled now, which wait for a moment, and which are refused, so that none uses up what all share. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayRoute } from "@/lib/domain/policy";
import { createBudget } from "@/lib/server/limits/budget";
import { toNetwork } from "@/lib/server/limits/network";
import { readAddress } from "@/lib/server/limits/read-address";
import { createShare, type Place, type Refusal, type Share } from "@/lib/server/limits/share";
import type { Platform } from "@/lib/server/platform/platform";
import { openBodyAccount } from "./body-bytes";
import { explainRefusal, overloaded, type Limit } from "./explain-refusal";
import { createCallerLookup, type Caller } from "./identify-caller";
import { measureLoop } from "./measure-loop";
import { CLASS_NAMES, classify, limitsOf, WORK_CLASSES, type WorkClass } from "./work-class";

export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface Admission {
  /** Throws TOO_MANY_REQUESTS or OVERLOADED. The end of the response gives back everything that the request was granted. */
  admit: (route: GatewayRoute, parts: readonly string[], exchange: HttpExchange) => Promise<void> | void;
}

/** What the requests of one class share. */
interface Work {
  name: WorkClass;
  places: Share;
  perKey: number;
  /** Tenants of one organization leave each other a part of its places. */
  tenants: Share;
  perTenant: number;
  turns: Share;
}

interface Step {
  share: Share;
  key: string;
  limit: Limit;
}

const MIB = 1024 * 1024;

/** Beyond, requests wait for their turn, so that those of other callers come between them. */
const BUSY = 0.7;
/** Beyond, the loop is so late that whoever is admitted would be answered too late. */
const LATE_MS = 500;
/**
 * Requests that the gateway works on at once for one caller, by class. More would not be done sooner, because it has one thread
 * and few database connections, except events, which it stores in groups. Twice as many for all: another caller finds one free.
 */
const TURNS: Record<WorkClass, number> = {
  state: Infinity,
  calls: 6,
  events: 64,
  endpoints: 6,
  uploads: 6,
  other: 6,
};
const TURN_QUEUE = { queue: 4_096, queuePerKey: 1_024, longestWaitMs: 800 };
/** A request that takes longer waits for its app, which needs no turn, unless queries wait: then it may be one of those. */
const TURN_MS = 20;
const LONGEST_TURN_MS = 100;

/** @param isWaiting whether requests of the class wait for a database connection */
export function createAdmission(
  platform: Platform,
  isWaiting: (name: WorkClass) => boolean = () => platform.pool.waitingCount > 0,
): Admission {
  const identify = createCallerLookup(platform);
  const loop = measureLoop();
  const classes = new Map(WORK_CLASSES.map((name) => [name, createWork(platform, name)]));
  const { total, each } = platform.environment.PLATFORM_SHARE_BODY_MB;
  const bodies = createBudget({ total: total * MIB, perKey: each * MIB });
  const isBehind = ({ name }: Work) => name !== "state" && (loop.busy() > BUSY || isWaiting(name));

  return {
    admit: (route, parts, exchange) => {
      const name = classify(route);
      const work = classes.get(name);
      // Whoever checks the gateway's health must learn it also when it is busy.
      if (work === undefined || route === "GET /health") return;
      if (name !== "state" && loop.lateMs() > LATE_MS) throw overloaded(CLASS_NAMES[name], 1);
      const address = toNetwork(readAddress(platform.environment, exchange.request));
      const caller = identify(exchange.request, { work: name, routeBase: parts[0] ?? "", address });
      if (caller instanceof Promise) return caller.then((found) => enter(work, found, exchange));
      return enter(work, caller, exchange);
    },
  };

  /** Without a promise where nothing makes the request wait. */
  function enter(work: Work, caller: Caller, exchange: HttpExchange): Promise<void> | void {
    const granted: Place[] = [];
    for (const step of listSteps(work, caller)) {
      const place = step.share.tryEnter(step.key);
      if (isRefusal(place)) {
        for (const each of granted) each.leave();
        return wait(work, caller, exchange);
      }
      granted.push(step.share === work.turns ? endInTime(work, place) : place);
    }
    grant(exchange, caller.key, granted);
  }

  async function wait(work: Work, caller: Caller, exchange: HttpExchange): Promise<void> {
    const gone = untilClosed(exchange.response);
    const granted: Place[] = [];
    for (const { share, key, limit } of listSteps(work, caller)) {
      const place = await share.enter(key, gone);
      if (isRefusal(place)) {
        for (const each of granted) each.leave();
        throw explainRefusal(work.name, limit, place);
      }
      granted.push(share === work.turns ? endInTime(work, place) : place);
    }
    grant(exchange, caller.key, granted);
  }

  /** What a request needs, in this order: whoever waits for a turn already has a place. */
  function listSteps(work: Work, { key, tenantId, isKnown }: Caller): Step[] {
    const limit: Limit = { whose: isKnown ? "Your organization" : "Your address", most: work.perKey };
    const steps: Step[] = [{ share: work.places, key, limit }];
    if (tenantId !== undefined)
      steps.unshift({
        share: work.tenants,
        key: tenantId,
        limit: { whose: "This tenant", most: work.perTenant },
      });
    if (isBehind(work)) steps.push({ share: work.turns, key, limit });
    return steps;
  }

  function endInTime(work: Work, turn: Place): Place {
    let heldMs = 0;
    const check = () => {
      heldMs += TURN_MS;
      if (heldMs >= LONGEST_TURN_MS || !isWaiting(work.name)) turn.leave();
      else timer = setTimeout(check, TURN_MS);
    };
    let timer = setTimeout(check, TURN_MS);
    const leave = () => {
      clearTimeout(timer);
      turn.leave();
    };
    return { ...turn, leave };
  }

  function grant({ request, response }: HttpExchange, key: string, places: readonly Place[]): void {
    const closeAccount = request.method === "GET" ? undefined : openBodyAccount(request, bodies, key);
    const leave = () => {
      closeAccount?.();
      for (const place of places) place.leave();
    };
    // The client may have left while the request waited.
    if (response.destroyed) leave();
    else response.once("close", leave);
  }
}

function createWork({ environment }: Platform, name: WorkClass): Work {
  const limits = limitsOf(name, environment);
  const perTenant = Math.ceil((limits.perKey * 3) / 4);
  return {
    name,
    places: createShare(limits),
    perKey: limits.perKey,
    tenants: createShare({ ...limits, total: Infinity, perKey: perTenant }),
    perTenant,
    turns: createShare({ ...TURN_QUEUE, total: 2 * TURNS[name], perKey: TURNS[name] }),
  };
}

function isRefusal(entry: Place | Refusal | undefined): entry is Refusal {
  return entry !== undefined && "full" in entry;
}

/** Made once: an abort without a reason creates an error with a stack trace for each request. */
const CLOSED = new Error("the response is closed");

function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort(CLOSED));
  return controller.signal;
}
