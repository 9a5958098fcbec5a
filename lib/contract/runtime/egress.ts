/**
 * What the worker and the egress guard tell each other: a JSON object per line, through the guard's standard input and output, or through
 * its control port in a cluster.
 */
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
  /** The app speaks HTTP, and the guard speaks TLS to that address, whose certificate it checks. */
  isSecured?: boolean;
}

/** What an app may reach: any public host, or those of the rules. The rules of cores count in both cases. */
export interface AllowedHosts {
  anyHost: boolean;
  rules: HostRule[];
}

/** One app, which its address tells apart from all others. */
export interface EgressPolicy extends AllowedHosts {
  /** The network's name in the engine, or the UID of the app's Pod. */
  id: string;
  /** The version whose app it is. */
  versionId: string;
  appAddress: string;
  stateApi: { host: string; port: number };
  /** Where the guard listens for this app alone. Without it, the guard listens for all apps together, as in a cluster. */
  network?: GuardedNetwork;
  /** When its Pod was created, in milliseconds since 1970. Of two Pods with the same address, the later one has it. */
  createdAt?: number;
}

/** One app's network, in which the app and the guard each have one address. */
export interface GuardedNetwork {
  guardAddress: string;
  /** The guard's address in the network that leads out, and the port at which the platform reaches the app there. */
  callAddress: string;
  callPort: number;
}

/** A listener of the platform: its pages, its gateway, its registry. */
export interface OwnPlace {
  /** A name in small letters, or an address. */
  host: string;
  port: number;
}

/** Replaces everything that the guard was told through the same connection before. */
export interface GuardOrder {
  /** Counts the orders of one worker. */
  sequence: number;
  /** Tells the orders of workers apart. */
  from: string;
  policies: EgressPolicy[];
  /** Addresses of the platform and its machine, which no rule opens, except for those of cores that may be private. */
  own: string[];
  /** The platform's own listeners, which nothing opens. Other ports of their hosts are like `own`. */
  places?: readonly OwnPlace[];
  /** Ranges that nothing opens: those of the apps' networks, and of the guard's own loopback. */
  never: string[];
  /** PEM text of CAs that the platform trusts besides the usual ones. */
  authorities?: string;
}

/** A policy that could not be put into force, such as because a port is in use. */
export interface FailedPolicy {
  id: string;
  reason: string;
}

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
    failed: z.array(z.object({ id: z.string(), reason: z.string() })),
  }),
  /** Those that changed since the last report. `boot` tells starts of the guard apart. */
  z.object({ boot: z.string(), counts: z.array(egressCount) }),
]);
export type GuardReport = z.output<typeof guardReport>;
