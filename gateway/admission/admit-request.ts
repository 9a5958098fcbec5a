/** Decides which requests are handled now, which wait for a moment, and which are refused, so that none uses up what all share. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayRoute } from "@/lib/domain/policy";
import { createBudget } from "@/lib/server/limits/budget";
import { toNetwork } from "@/lib/server/limits/network";
import { createShare, type Place, type Refusal, type Share } from "@/lib/server/limits/share";
import type { Platform } from "@/lib/server/platform/platform";
import { readAddress } from "./read-address";
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

const MIB = 1024 * 1024;

/** Beyond, requests wait for their turn, so that those of other callers come between them. */
const BUSY = 0.7;
/** Beyond, the loop is so late that whoever is admitted would be answered too late. */
const LATE_MS = 500;
/**
 * Requests of a class that the gateway works on at once. More would not be done sooner, because it has one thread and few
 * database connections.
 */
const TURNS = { total: 8, perKey: 4, queue: 4_096, queuePerKey: 1_024, longestWaitMs: 1_000 };
/** A request that takes longer usually waits for its app, which needs no turn: unless the gateway itself is behind. */
const TURN_MS = 20;
const LONGEST_TURN_MS = 200;

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
  const isBehind = ({ name }: Work) => loop.busy() > BUSY || isWaiting(name);

  return {
    admit: (route, parts, exchange) => {
      const name = classify(route);
      const work = classes.get(name);
      // Whoever checks the gateway's health must learn it also when it is busy.
      if (work === undefined || route === "GET /health") return;
      if (name !== "state" && loop.lateMs() > LATE_MS) throw overloaded(CLASS_NAMES[name], 1);
      const address = toNetwork(readAddress(platform, exchange.request));
      const caller = identify(exchange.request, { work: name, routeBase: parts[0] ?? "", address });
      if (caller instanceof Promise) return caller.then((found) => enter(work, found, exchange));
      return enter(work, caller, exchange);
    },
  };

  /** Without a promise where nothing makes the request wait. */
  function enter(work: Work, caller: Caller, exchange: HttpExchange): Promise<void> | void {
    if (work.name !== "state" && isBehind(work)) return waitForTurn(work, caller, exchange);
    const { tenantId, key } = caller;
    const tenant = tenantId === undefined ? undefined : work.tenants.tryEnter(tenantId);
    if (isRefusal(tenant)) return waitForTurn(work, caller, exchange);
    const place = work.places.tryEnter(key);
    if (!isRefusal(place)) return grant(exchange, key, tenant === undefined ? [place] : [tenant, place]);
    tenant?.leave();
    return waitForTurn(work, caller, exchange);
  }

  async function waitForTurn(work: Work, caller: Caller, exchange: HttpExchange): Promise<void> {
    const { tenantId, key, isKnown } = caller;
    const gone = untilClosed(exchange.response);
    const granted: Place[] = [];
    const take = async (share: Share, name: string, limit: Limit) => {
      const place = await share.enter(name, gone);
      if (isRefusal(place)) {
        for (const each of granted) each.leave();
        throw explainRefusal(work.name, limit, place);
      }
      granted.push(place);
      return place;
    };
    if (tenantId !== undefined)
      await take(work.tenants, tenantId, { whose: "This tenant", most: work.perTenant });
    const limit: Limit = { whose: isKnown ? "Your organization" : "Your address", most: work.perKey };
    await take(work.places, key, limit);
    if (work.name !== "state" && isBehind(work))
      endInTime(work, await take(work.turns, key, { ...limit, most: TURNS.queuePerKey }));
    grant(exchange, key, granted);
  }

  function endInTime(work: Work, { leave }: Place, heldMs = 0): void {
    setTimeout(() => {
      const isOver = heldMs + TURN_MS >= LONGEST_TURN_MS || !isBehind(work);
      if (isOver) leave();
      else endInTime(work, { leave, waitedMs: 0 }, heldMs + TURN_MS);
    }, TURN_MS);
  }

  function grant({ request, response }: HttpExchange, key: string, places: readonly Place[]): void {
    const closeAccount = openBodyAccount(request, bodies, key);
    const leave = () => {
      closeAccount();
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
    turns: createShare(TURNS),
  };
}

function isRefusal(entry: Place | Refusal | undefined): entry is Refusal {
  return entry !== undefined && "full" in entry;
}

function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
