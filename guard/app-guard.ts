/**
 * One app's way out, wherever its connections arrive (`own-listeners.ts`, `shared-listeners.ts`). For each of them: wait until it says where
 * it leads → find the rule → resolve the name and check the address → connect to exactly that address.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { EgressCount, EgressPolicy } from "@/lib/contract/runtime/egress";
import { CONTAINER_PORT } from "@/lib/domain/platform/app-limits";
import { STATE_NAME, STATE_RELAY_PORT } from "@/lib/domain/platform/guarded-app";
import { createFinder, type HostFinder, normalizeName } from "@/lib/domain/runtime/egress/allowed-hosts";
import { LONGEST_HELLO, readClientHello } from "@/lib/domain/runtime/egress/client-hello";
import { Budget, EGRESS_LIMITS } from "@/lib/domain/runtime/egress/egress-limits";
import { answerQuery, type NameRecord } from "@/lib/domain/runtime/egress/name-query";
import type { Counters } from "./counters";
import { createHttpRelay, type Found, type HttpRelay } from "./http-relay";
import { NAME_PORT } from "./listen";
import { pumpBoth } from "./pump";
import { checkAddress, type ClosedAddresses, type createResolver, Refusal } from "./resolve-name";

/** What all apps share. */
export interface Surroundings {
  counters: Counters;
  names: ReturnType<typeof createResolver>;
  closed: ClosedAddresses;
  /** Of cores that the guard itself speaks TLS to; undefined for what Node trusts. */
  trust: () => SecureContext | undefined;
  /** What the names of an app lead to. */
  lead: (policy: EgressPolicy) => Lead;
}

export interface Lead {
  /** Of the guard itself, for all names that the app may use. */
  guard: NameRecord;
  /** Of the state API, if the app reaches it without the guard. */
  stateApi?: NameRecord;
}

const TLS_RECORD = 22;
const LINGER_MS = 1_000;
/** Fatal, unrecognized_name (RFC 6066): clients then say which name it was. */
const UNRECOGNIZED_NAME = Buffer.from([21, 3, 3, 0, 2, 2, 112]);

export class AppGuard {
  private finder: HostFinder;
  private readonly sockets = new Set<Socket>();
  private readonly traffic: Budget;
  private readonly queries: Budget;
  private readonly unknown: Budget;
  private readonly lookups: Budget;
  private readonly http: HttpRelay;

  constructor(
    private current: EgressPolicy,
    private readonly shared: Surroundings,
  ) {
    const now = performance.now();
    const { bytesPerSecond, queriesPerSecond, queriesAtOnce, lookupsPerSecond, lookupsAtOnce } =
      EGRESS_LIMITS;
    this.finder = createFinder(current);
    this.traffic = new Budget(bytesPerSecond, bytesPerSecond, now);
    this.queries = new Budget(queriesPerSecond, queriesAtOnce, now);
    this.unknown = new Budget(EGRESS_LIMITS.unknownPerSecond, EGRESS_LIMITS.unknownAtOnce, now);
    this.lookups = new Budget(lookupsPerSecond, lookupsAtOnce, now);
    this.http = createHttpRelay({
      open: (name, port) => this.find(name, port, false),
      trust: () => this.shared.trust(),
      connected: (name, port) => this.shared.counters.connected(this.current, name, port),
      moved: (count, direction, bytes) => this.moved(count, direction, bytes),
      refused: (name, port, reason) => this.refused(name, port, reason),
    });
  }

  /** Counts for what comes next. */
  update(policy: EgressPolicy): void {
    this.current = policy;
    this.finder = createFinder(policy);
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
      this.refused("", port, "did not say where it leads");
      socket.destroy();
    }, EGRESS_LIMITS.greetingMs);
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

  /** Only from the app's own address, and not too many at once. */
  admit(socket: Socket, port: number): boolean {
    // What the other side broke off needs no word.
    socket.on("error", () => undefined);
    const isApp = socket.remoteAddress === this.current.appAddress;
    if (isApp && this.sockets.size < EGRESS_LIMITS.connections) {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
      socket.setTimeout(EGRESS_LIMITS.idleMs, () => socket.destroy());
      return true;
    }
    if (isApp) this.refused("", port, `has ${EGRESS_LIMITS.connections} connections already`);
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
      const { address } = await this.find(name, port, true);
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
      if (socket.destroyed && !(error instanceof Refusal)) return;
      this.refused(name, port, error instanceof Refusal ? error.message : "could not be reached");
      // What the app sent meanwhile is read, so that it gets this answer instead of a reset.
      socket.end(UNRECOGNIZED_NAME);
      socket.resume();
      setTimeout(() => socket.destroy(), LINGER_MS);
    }
  }

  /** Where to connect to. Throws a Refusal. */
  private async find(name: string, port: number, tls: boolean): Promise<Found> {
    const rule = this.finder.find(name, port, tls);
    if (rule === undefined) throw new Refusal("is not a host that the app may connect to in this way");
    const { closed, names } = this.shared;
    const reachable = { allowsPrivate: rule.mayBePrivate, allowsOwn: rule.isCore };
    if (rule.address !== undefined) {
      checkAddress(rule.address, reachable, closed);
      return { address: rule.address, knownAs: rule.address, isSecured: rule.isSecured === true };
    }
    if (!names.isKept(name) && !this.lookups.take(1, performance.now()))
      throw new Refusal("is one of too many names in a short time");
    return { address: await names.resolve(name, reachable, closed), knownAs: name, isSecured: false };
  }

  private async connect(host: string, port: number): Promise<Socket> {
    const upstream = connect({ host, port, allowHalfOpen: true, timeout: EGRESS_LIMITS.connectMs });
    const late = () => upstream.destroy(new Refusal("did not answer"));
    upstream.once("timeout", late);
    try {
      await once(upstream, "connect");
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal("could not be reached");
    }
    upstream.off("timeout", late);
    upstream.on("error", () => undefined);
    upstream.setTimeout(EGRESS_LIMITS.idleMs, () => upstream.destroy());
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
    if (!this.queries.take(1, performance.now())) return undefined;
    const { guard, stateApi } = this.shared.lead(this.current);
    const { response, refused } = answerQuery(message, (name) => {
      if (stateApi !== undefined && name === STATE_NAME) return stateApi;
      return this.finder.knows(name) ? guard : undefined;
    });
    if (refused === undefined) return response;
    if (!this.unknown.take(1, performance.now())) return undefined;
    this.refused(refused, NAME_PORT, "is not a host that the app may connect to");
    return response;
  }

  /** Each message has its length in front. */
  serveQueries(socket: Socket): void {
    if (!this.admit(socket, NAME_PORT)) return;
    socket.setTimeout(EGRESS_LIMITS.greetingMs);
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
