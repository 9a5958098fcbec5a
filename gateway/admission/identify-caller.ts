/**
 * Finds out whose share a request uses, before anything else is done for it. The answer is remembered for a while, so most
 * requests need no query. It permits nothing: each handler still checks the credential.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { identifyApiKey } from "@/lib/server/accounts/credentials/authenticate-api-key";
import { recognizeCore } from "@/lib/server/accounts/credentials/authenticate-core";
import { selectRouteBaseOwner } from "@/lib/server/calls/endpoint-queries";
import type { Platform } from "@/lib/server/platform/platform";
import { createShare } from "@/lib/server/platform/requests/share";
import type { WorkClass } from "@/lib/server/surface/api/routes/route";

export interface Caller {
  /** An organization's id, or where a request without a valid credential comes from. */
  key: string;
  /** Whether the key is an organization. */
  isKnown: boolean;
  tenantId?: string;
}

const REMEMBERED = 20_000;
const REMEMBERED_MS = 60_000;
const WRONG_MS = 2_000;

/** Lookups of credentials that are not in the cache, so that invented ones can't keep the database busy. */
const LOOKUPS = { total: 8, perKey: 2, queue: 1_024, queuePerKey: 512, longestWaitMs: 1_000 };

type Owner = Pick<Caller, "tenantId"> & { organizationId: string };

export interface AskedAs {
  work: WorkClass;
  /** The first part of an endpoint's path, which names its installation. */
  routeBase: string;
  /** The network that the request comes from. */
  address: string;
}

/** Returns the caller at once if it is known, because most are. */
export function createCallerLookup(
  platform: Platform,
): (request: IncomingMessage, asked: AskedAs) => Caller | Promise<Caller> {
  const known = new LRUCache<string, Owner>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  // Kept separately, because anyone can invent credentials.
  const wrong = new LRUCache<string, true>({ max: REMEMBERED, ttl: WRONG_MS });
  /** One lookup serves all requests that arrive with the same credential before it ends. */
  const running = new Map<string, Promise<Owner | undefined>>();
  const lookups = createShare(LOOKUPS);

  return (request, asked) => {
    const stranger: Caller = { key: `address ${asked.address}`, isKnown: false };
    if (asked.work === "state") return stranger;
    const { authorization = "" } = request.headers;
    const name = asked.work === "endpoints" ? asked.routeBase : authorization;
    if (name === "") return stranger;
    // Hashed, so that the cache contains no credentials.
    const hash = createHash("sha256").update(name).digest("base64");
    const owner = known.get(hash);
    if (owner !== undefined || wrong.has(hash)) return toCaller(owner, stranger);
    return lookUp(hash, name, asked).then((owner) => toCaller(owner, stranger));
  };

  async function lookUp(hash: string, name: string, asked: AskedAs): Promise<Owner | undefined> {
    const begun = running.get(hash);
    if (begun !== undefined) return begun;
    const looking = inTurn(asked.address, () => findOwner(platform, name, asked));
    running.set(hash, looking);
    try {
      const owner = await looking;
      if (owner === undefined) wrong.set(hash, true);
      else known.set(hash, owner);
      return owner;
    } finally {
      running.delete(hash);
    }
  }

  async function inTurn<Result>(address: string, look: () => Promise<Result>): Promise<Result> {
    const place = await lookups.enter(address);
    if ("full" in place) {
      const detail =
        "Too many requests with credentials that the platform hasn't seen recently. Try again in a moment.";
      throw new Problem("OVERLOADED", detail, [], place.retryAfterSeconds);
    }
    try {
      return await look();
    } finally {
      place.leave();
    }
  }
}

function toCaller(owner: Owner | undefined, stranger: Caller): Caller {
  if (owner === undefined) return stranger;
  return { key: owner.organizationId, isKnown: true, tenantId: owner.tenantId };
}

async function findOwner(platform: Platform, name: string, asked: AskedAs): Promise<Owner | undefined> {
  if (asked.work === "endpoints") {
    const organizationId = isId(name) ? await selectRouteBaseOwner(platform.db, name) : undefined;
    return organizationId === undefined ? undefined : { organizationId };
  }
  const authenticate = /^basic /i.test(name) ? identifyApiKey : recognizeCore;
  return authenticate(platform, name).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "WRONG_CREDENTIALS") return undefined;
    throw error;
  });
}
