/** What the worker and the egress guard tell each other: a JSON object per line, through the guard's standard input and output. */
import { z } from "zod";

/**
 * What keeps apps that start now to the hosts that they declare: the egress guard, or nothing. `open`: containers have the machine's network
 * and its firewall. `none`: apps are plain processes. `why` is a sentence.
 */
export const egressWay = z.union([
  z.object({ way: z.literal("guard") }),
  z.object({ way: z.enum(["open", "none"]), why: z.string() }),
]);
export type EgressWay = z.output<typeof egressWay>;

/** A host that an app may connect to, on one port. */
export interface HostRule {
  /** A name, or `*.` and a name for all hosts below it. */
  host: string;
  port: number;
  /** TLS, whose server name the guard reads; otherwise HTTP, whose Host it reads. */
  tls: boolean;
  /** The core of a customer, which may be on the platform's own machine. */
  isCore: boolean;
  /** It may have private addresses: the platform itself would connect to this core there. */
  mayBePrivate: boolean;
  /** Where exactly the name leads, without a look-up: of a core whose URL has an address. */
  address?: string;
}

/** What an app may reach: any public host, or those of the rules. The rules of cores count in both cases. */
export interface AllowedHosts {
  anyHost: boolean;
  rules: HostRule[];
}

/** One app's network, in which the app and the guard each have one address. */
export interface EgressPolicy extends AllowedHosts {
  /** The network's name in the engine. */
  id: string;
  /** The version whose app it is. */
  versionId: string;
  appAddress: string;
  guardAddress: string;
  /** The port of the guard's own address at which the platform reaches the app. */
  callPort: number;
  stateApi: { host: string; port: number };
}

/** Replaces everything that the guard was told before. */
export interface GuardOrder {
  /** Counts the orders of one worker. */
  sequence: number;
  /** Tells the orders of workers apart. */
  from: string;
  /** The guard's address in the network that leads out. */
  callAddress: string;
  policies: EgressPolicy[];
  /** Addresses of the platform and its machine, which no rule opens, except for those of cores. */
  own: string[];
  /** Ranges that nothing opens: those of the apps' networks, and of the guard's own loopback. */
  never: string[];
}

/** In place of a host: all hosts of an app beyond the limit, counted together. No name has a space. */
export const OTHER_HOSTS = "other hosts";

export const egressCount = z.object({
  /** The policy's. */
  id: z.string(),
  versionId: z.string(),
  /** Empty for connections that named none. */
  host: z.string(),
  port: z.number(),
  connections: z.number(),
  /** From the app. */
  bytesOut: z.number(),
  bytesIn: z.number(),
  refused: z.number(),
  /** Why the last attempt was refused; empty if none was. */
  reason: z.string(),
  /** Milliseconds since 1970. */
  firstAt: z.number(),
  lastAt: z.number(),
});
/** Since the guard started. */
export type EgressCount = z.output<typeof egressCount>;

export const guardReport = z.union([
  z.object({
    applied: z.number(),
    from: z.string(),
    /** Policies that could not be put into force, such as because a port is in use. */
    failed: z.array(z.object({ id: z.string(), reason: z.string() })),
  }),
  /** Those that changed since the last report. `boot` tells starts of the guard apart. */
  z.object({ boot: z.string(), counts: z.array(egressCount) }),
]);
export type GuardReport = z.output<typeof guardReport>;
