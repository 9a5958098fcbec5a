/**
 * One app's way out, wherever its connections arrive (`own-listeners.ts`, `shared-listeners.ts`). For each of them: wait until it says where
 * it leads → find the rule → resolve the name and check the address → connect to exactly that address.
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { EgressCount, EgressPolicy, HostRule } from "@/lib/contract/runtime/egress";
import { CONTAINER_PORT } from "@/lib/domain/platform/app-limits";
import { STATE_NAME, STATE_RELAY_PORT } from "@/lib/domain/platform/guarded-app";
import { createFinder, type HostFinder, normalizeName } from "@/lib/domain/runtime/egress/allowed-hosts";
import { LONGEST_HELLO, readClientHello } from "@/lib/domain/runtime/egress/client-hello";
import { Budget, type EgressLimits, OTHER_HOSTS } from "@/lib/domain/runtime/egress/egress-limits";
import { answerQuery, type NameRecord } from "@/lib/domain/runtime/egress/name-query";
import type { Counters } from "./counters";
import { createHttpRelay, type Found, type HttpRelay, LINGER_MS, SILENT } from "./http-relay";
import { NAME_PORT } from "./listen";
import { pumpBoth } from "./pump";
import {
  checkAddress,
  checkPlace,
  type ClosedAddresses,
  type createResolver,
  type Reachable,
  Refusal,
} from "./resolve-name";

/** What all apps share. */
export interface Surroundings {
  counters: Counters;
  names: ReturnType<typeof createResolver>;
  limits: EgressLimits;
  closed: ClosedAddresses;
  /** Of cores that the guard itself speaks TLS to; undefined for what Node trusts. */
  trust: () => SecureContext | undefined;
  /** What the names of an app lead to. */
  lead: (policy: EgressPolicy) => Lead;
}

export interface Lead {
  /** Of the guard itself, for all names that the app may use. */
  guard: NameRecord;
  /** Of the state API: the guard's on an engine, and its own in a cluster. */
  stateApi?: NameRecord;
}

/** Where a connection of the app leads, or is about to. */
interface Wanted {
  name: string;
  port: number;
  tls: boolean;
  /** What the name led to. */
  address?: string;
}

const TLS_RECORD = 22;
/** Fatal, unrecognized_name (RFC 6066): clients then say which name it was. */
const UNRECOGNIZED_NAME = Buffer.from([21, 3, 3, 0, 2, 2, 112]);

export class AppGuard {
  private finder: HostFinder;
  private readonly sockets = new Set<Socket>();
  /** What the app wants or has through the guard. */
  private readonly relayed = new Map<Socket | ServerResponse, Wanted>();
  private readonly traffic: Budget;
  private readonly opened: Budget;
  private readonly queries: Budget;
  private readonly unknown: Budget;
  private readonly lookups: Budget;
  private readonly http: HttpRelay;

  constructor(
    private current: EgressPolicy,
    private readonly shared: Surroundings,
  ) {
    const now = performance.now();
    const { limits } = shared;
    this.finder = createFinder(current);
    this.traffic = new Budget(limits.bytesPerSecond, limits.bytesPerSecond, now);
    this.opened = new Budget(limits.connectionsPerSecond, limits.connectionsAtOnce, now);
    this.queries = new Budget(limits.queriesPerSecond, limits.queriesAtOnce, now);
    this.unknown = new Budget(limits.unknownPerSecond, limits.unknownAtOnce, now);
    this.lookups = new Budget(limits.lookupsPerSecond, limits.lookupsAtOnce, now);
    this.http = createHttpRelay({
      limits,
      find: (name, port, answer) => this.find({ name, port, tls: false }, answer),
      trust: () => this.shared.trust(),
      connected: (name, port) => this.shared.counters.connected(this.current, name, port),
      moved: (count, direction, bytes) => this.moved(count, direction, bytes),
      refused: (name, port, reason) => this.refused(name, port, reason),
    });
  }

  /** Ends connections that are not allowed anymore. */
  update(policy: EgressPolicy): void {
    this.current = policy;
    this.finder = createFinder(policy);
    for (const [relayed, wanted] of this.relayed) if (!this.isAllowed(wanted)) relayed.destroy();
  }

  get policy(): EgressPolicy {
    return this.current;
  }

  /** Breaks off all its connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
    this.http.close();
  }

  // The app's connections.

  /** Takes what comes from the app's address. */
  accept(socket: Socket, port: number): void {
    if (!this.admit(socket, port)) return;
    const deadline = setTimeout(() => {
      this.refused("", port, SILENT);
      socket.destroy(new Refusal(SILENT));
    }, this.shared.limits.greetingMs);
    socket.once("close", () => clearTimeout(deadline));
    const leave = () => socket.destroy();
    socket.once("end", leave);
    socket.once("data", (first) => {
      socket.off("end", leave);
      if (first[0] === TLS_RECORD) {
        void this.relayTls(socket, port, first, deadline);
        return;
      }
      clearTimeout(deadline);
      socket.pause();
      socket.unshift(first);
      this.http.serve(socket, port);
    });
  }

  /** Only from the app's own address, and not too many at once or in a short time. */
  admit(socket: Socket, port: number): boolean {
    // What the other side broke off needs no word.
    socket.on("error", () => undefined);
    const { connections, idleMs } = this.shared.limits;
    const isApp = socket.remoteAddress === this.current.appAddress;
    const isFull = this.sockets.size >= connections;
    if (isApp && !isFull && this.opened.take(1, performance.now())) {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
      socket.setTimeout(idleMs, () => socket.destroy());
      return true;
    }
    if (isApp)
      this.refused(
        "",
        port,
        isFull ? `has ${connections} connections already` : "opens too many connections in a short time",
      );
    socket.destroy();
    return false;
  }

  private async relayTls(
    socket: Socket,
    port: number,
    first: Buffer,
    deadline: NodeJS.Timeout,
  ): Promise<void> {
    let name = "";
    try {
      const greeting = await readGreeting(socket, first);
      clearTimeout(deadline);
      name = normalizeName(greeting.name) ?? "";
      if (name === "") throw new Refusal("sent a server name that is not a name");
      const { address } = await this.find({ name, port, tls: true }, socket);
      const upstream = await this.connect(address, port);
      if (socket.destroyed) {
        upstream.destroy();
        return;
      }
      const count = this.shared.counters.connected(this.current, name, port);
      upstream.write(greeting.bytes);
      this.moved(count, "bytesOut", greeting.bytes.length);
      pumpBoth(
        socket,
        upstream,
        (bytes) => this.moved(count, "bytesOut", bytes),
        (bytes) => this.moved(count, "bytesIn", bytes),
      );
      socket.resume();
    } catch (error) {
      if (socket.errored instanceof Refusal || (socket.destroyed && !(error instanceof Refusal))) return;
      this.refused(name, port, error instanceof Refusal ? error.message : "could not be reached");
      // What the app sent meanwhile is read, so that it gets this answer instead of a reset.
      socket.end(UNRECOGNIZED_NAME);
      socket.resume();
      setTimeout(() => socket.destroy(), LINGER_MS);
    }
  }

  /** Where to connect to. Throws a Refusal. @param relayed is destroyed when that isn't allowed anymore */
  private async find(wanted: Wanted, relayed: Socket | ServerResponse): Promise<Found> {
    const { rule, reachable } = this.permit(wanted);
    this.relayed.set(relayed, wanted);
    relayed.once("close", () => this.relayed.delete(relayed));
    const { name } = wanted;
    const { closed, names } = this.shared;
    if (rule.address !== undefined) {
      checkAddress(rule.address, reachable, closed);
      return { address: rule.address, knownAs: rule.address, isSecured: rule.isSecured === true };
    }
    if (!names.isKept(name) && !this.lookups.take(1, performance.now()))
      throw new Refusal("is one of too many names in a short time");
    wanted.address = await names.resolve(name, reachable, closed);
    return { address: wanted.address, knownAs: name, isSecured: false };
  }

  /** The rule that allows it. Throws a Refusal. */
  private permit({ name, port, tls }: Wanted): { rule: HostRule; reachable: Reachable } {
    const rule = this.finder.find(name, port, tls);
    if (rule === undefined) throw new Refusal("is not a host that the app may connect to in this way");
    const mayBeOwn = rule.isCore && rule.mayBePrivate;
    checkPlace({ host: rule.address ?? name, port }, mayBeOwn, this.shared.closed);
    return { rule, reachable: { allowsPrivate: rule.mayBePrivate, allowsOwn: mayBeOwn } };
  }

  private isAllowed(wanted: Wanted): boolean {
    try {
      const { reachable } = this.permit(wanted);
      if (wanted.address !== undefined) checkAddress(wanted.address, reachable, this.shared.closed);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  private async connect(host: string, port: number): Promise<Socket> {
    const { connectMs, idleMs } = this.shared.limits;
    const upstream = connect({ host, port, allowHalfOpen: true, timeout: connectMs });
    const late = () => upstream.destroy(new Refusal("did not answer"));
    upstream.once("timeout", late);
    try {
      await once(upstream, "connect");
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal("could not be reached");
    }
    upstream.off("timeout", late);
    upstream.on("error", () => undefined);
    upstream.setTimeout(idleMs, () => upstream.destroy());
    upstream.setNoDelay(true);
    return upstream;
  }

  private moved(count: EgressCount, direction: "bytesOut" | "bytesIn", bytes: number): number {
    this.shared.counters.moved(count, direction, bytes);
    return this.traffic.spend(bytes, performance.now());
  }

  private refused(host: string, port: number, reason: string): void {
    this.shared.counters.refused(this.current, host, port, reason);
  }

  // Names.

  /** What to send back, if anything. */
  answer(message: Uint8Array): Uint8Array | undefined {
    const now = performance.now();
    if (!this.queries.take(1, now)) return this.drop();
    const { guard, stateApi } = this.shared.lead(this.current);
    const { response, refused } = answerQuery(message, (name) => {
      if (stateApi !== undefined && name === STATE_NAME) return stateApi;
      return this.finder.knows(name) ? guard : undefined;
    });
    if (refused === undefined) return response;
    if (!this.unknown.take(1, now)) return this.drop();
    this.refused(refused, NAME_PORT, "is not a host that the app may connect to");
    return response;
  }

  /** A flood of questions costs no more than this. */
  private drop(): undefined {
    this.refused(OTHER_HOSTS, 0, "was one of too many names that the app asked for in a short time");
  }

  /** Each message has its length in front. */
  serveQueries(socket: Socket): void {
    if (!this.admit(socket, NAME_PORT)) return;
    socket.setTimeout(this.shared.limits.greetingMs);
    let held: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE()) {
        const end = 2 + held.readUInt16BE();
        const response = this.answer(held.subarray(2, end));
        held = held.subarray(end);
        if (response === undefined) {
          socket.destroy();
          return;
        }
        const length = Buffer.alloc(2);
        length.writeUInt16BE(response.length);
        socket.write(Buffer.concat([length, response]));
      }
      // No question is longer.
      if (held.length > 2 + 512) socket.destroy();
    });
    socket.on("end", () => socket.end());
  }

  // The platform's own ways.

  relayState(socket: Socket): void {
    if (!this.admit(socket, STATE_RELAY_PORT)) return;
    relay(socket, this.current.stateApi.host, this.current.stateApi.port);
  }

  /** From the platform: nothing else reaches the address that this listens on. */
  relayCall(socket: Socket): void {
    socket.on("error", () => undefined);
    relay(socket, this.current.appAddress, CONTAINER_PORT);
  }
}

function relay(socket: Socket, host: string, port: number): void {
  const upstream = connect({ host, port, allowHalfOpen: true, noDelay: true });
  upstream.on("error", () => socket.resetAndDestroy());
  pumpBoth(socket, upstream);
}

/** All that the client sent until its server name was complete. Throws a Refusal. The socket is paused then. */
function readGreeting(socket: Socket, first: Buffer): Promise<{ name: string; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [length, need] = [0, 0];
    const end = (settle: () => void) => {
      socket.off("data", read);
      socket.off("close", broken);
      socket.off("end", broken);
      socket.pause();
      settle();
    };
    const broken = () => end(() => reject(new Refusal("broke off its TLS greeting")));
    const read = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < need) return;
      const bytes = Buffer.concat(chunks);
      const hello = readClientHello(bytes.subarray(0, LONGEST_HELLO + 5));
      if ("name" in hello) end(() => resolve({ name: hello.name, bytes }));
      else if ("refused" in hello) end(() => reject(new Refusal(hello.refused)));
      else need = hello.need;
    };
    socket.on("data", read);
    socket.once("close", broken);
    socket.once("end", broken);
    read(first);
  });
}
