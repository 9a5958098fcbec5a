/**
 * Who may do what, as the workers say. Each connection of a worker is a source, and each of its orders replaces what it said before. An app
 * has rules as long as one source gives it some, so a worker that learned of an app a moment later takes nothing from it. When all sources
 * are gone, what they said stays until the next one speaks: apps go on while no worker runs.
 */
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import ipaddr from "ipaddr.js";
import type { EgressPolicy, FailedPolicy, GuardOrder, OwnPlace } from "@/lib/contract/runtime/egress";
import { EGRESS_LIMITS, type EgressLimits } from "@/lib/domain/runtime/egress/egress-limits";
import { AppGuard, type Lead, type Surroundings } from "./app-guard";
import { Counters } from "./counters";
import { type ClosedAddresses, createResolver } from "./resolve-name";

/** Where the guard listens, and how it tells apps apart. */
export interface Listening {
  lead(policy: EgressPolicy): Lead;
  /** Opens what these apps need, and closes all else. Returns the policies that are not in force. */
  apply(apps: readonly AppGuard[]): Promise<FailedPolicy[]>;
}

/** The connection of a worker. */
export interface Source {
  /** Which worker spoke last. */
  worker?: string;
}

export interface Rules {
  counters: Counters;
  /** Puts an order into force. Returns the policies for which that failed. */
  follow(order: GuardOrder, source: Source): Promise<FailedPolicy[]>;
  /** The source is gone. */
  leave(source: Source): Promise<void>;
  /** Whether a worker has ever spoken. */
  isTold(): boolean;
}

interface Told {
  app: AppGuard;
  sources: Set<Source>;
}

interface RulesOptions {
  names?: ReturnType<typeof createResolver>;
  /** Addresses that no order opens. */
  never?: readonly string[];
  limits?: EgressLimits;
}

export function createRules(
  listening: Listening,
  { names = createResolver(), never = [], limits = EGRESS_LIMITS }: RulesOptions = {},
): Rules {
  const shared: Surroundings = {
    counters: new Counters(),
    names,
    limits,
    closed: closeAddresses([], never),
    trust: () => undefined,
    lead: (policy) => listening.lead(policy),
  };
  const told = new Map<string, Told>();
  const present = new Set<Source>();
  let isTold = false;
  let authorities = "";
  let last: Promise<unknown> = Promise.resolve();

  /** One after another: opening a port takes a moment. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  }

  function forgetUntold(): void {
    for (const [id, { app, sources }] of told)
      if (sources.size === 0) {
        app.cut();
        told.delete(id);
        shared.counters.forget(id);
      }
  }

  function forgetSource(gone: (source: Source) => boolean, kept: ReadonlySet<string>): void {
    for (const [id, { sources }] of told)
      if (!kept.has(id)) for (const source of sources) if (gone(source)) sources.delete(source);
  }

  async function follow(order: GuardOrder, source: Source): Promise<FailedPolicy[]> {
    // Nobody may have read what was reported before this worker connected.
    if (order.from !== source.worker) shared.counters.reportAll();
    source.worker = order.from;
    present.add(source);
    shared.closed = closeAddresses(order.own, [...order.never, ...never], order.places);
    if (authorities !== (order.authorities ?? "")) {
      authorities = order.authorities ?? "";
      shared.trust = trustAuthorities(authorities);
    }
    for (const policy of order.policies) {
      const known = told.get(policy.id);
      known?.app.update(policy);
      known?.sources.add(source);
      if (known === undefined)
        told.set(policy.id, { app: new AppGuard(policy, shared), sources: new Set([source]) });
    }
    forgetSource((each) => each === source, new Set(order.policies.map(({ id }) => id)));
    forgetSource((each) => !present.has(each), new Set());
    forgetUntold();
    const failed = await apply();
    isTold = true;
    return failed;
  }

  function apply(): Promise<FailedPolicy[]> {
    return listening.apply([...told.values()].map(({ app }) => app));
  }

  async function leave(source: Source): Promise<void> {
    if (!present.delete(source) || present.size === 0) return;
    forgetSource((each) => each === source, new Set());
    forgetUntold();
    await apply();
  }

  return {
    counters: shared.counters,
    follow: (order, source) => inTurn(() => follow(order, source)),
    leave: (source) => inTurn(() => leave(source)),
    isTold: () => isTold,
  };
}

/** Takes milliseconds, so it is made for the first connection that needs it, and once for all. What can't be read is trusted by nobody. */
function trustAuthorities(authorities: string): () => SecureContext | undefined {
  let made: { context: SecureContext | undefined } | undefined;
  const make = () => {
    try {
      return authorities === "" ? undefined : createSecureContext({ ca: [...rootCertificates, authorities] });
    } catch {
      return undefined;
    }
  };
  return () => (made ??= { context: make() }).context;
}

/** @param never ranges, and single addresses */
export function closeAddresses(
  own: readonly string[],
  never: readonly string[],
  places: readonly OwnPlace[] = [],
): ClosedAddresses {
  const single = never.filter((range) => !range.includes("/") || range.endsWith("/32"));
  return {
    own: new Set(own),
    places,
    never: {
      addresses: new Set(single.map((range) => range.replace("/32", ""))),
      ranges: never.filter((range) => !single.includes(range)).map((range) => ipaddr.IPv4.parseCIDR(range)),
    },
  };
}
