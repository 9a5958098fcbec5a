/** The guard of a cluster on loopback addresses: many apps at one address, told apart by theirs. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { EgressPolicy } from "@/lib/contract/runtime/egress";
import { CONTROL_PORT } from "@/lib/domain/runtime/egress/control";
import { createClientHello, extension, serverName, splitRecords } from "@/tests/egress/client-hello";
import { createResolver } from "./resolve-name";
import { createRules, type Source } from "./rules";
import { createSharedListeners } from "./shared-listeners";
import { createStateAddresses } from "./state-addresses";

const [ONE, TWO, STRANGER, GUARD, SERVER] = [
  "127.67.0.2",
  "127.67.0.12",
  "127.67.0.22",
  "127.67.0.3",
  "127.67.0.9",
];
const STATE = "10.96.0.7";
/** Ports below 1024 on other loopback addresses: Linux, as root. */
const canListen = process.platform === "linux" && process.getuid?.() === 0;

describe.skipIf(!canListen)("the guard of a cluster", () => {
  const stateAddresses = createStateAddresses(async (host) => {
    if (host === "state.platform.svc") return STATE;
    throw new Error(`${host} not found`);
  });
  const listening = createSharedListeners(GUARD, stateAddresses);
  const names = createResolver(async () => [SERVER]);
  const rules = createRules(listening, { names, never: ["127.67.0.3"] });
  const sockets = new Set<Socket>();
  let echo: Server;
  let port = 0;

  beforeAll(async () => {
    echo = createServer((socket) => void socket.on("error", () => undefined).pipe(socket));
    echo.listen(0, SERVER);
    await once(echo, "listening");
    const bound = echo.address();
    port = bound !== null && typeof bound === "object" ? bound.port : 0;
  });

  beforeEach(async () => {
    for (const socket of sockets) socket.destroy();
    await clear();
  });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await clear();
    echo.close();
  });

  async function clear(): Promise<void> {
    for (const source of said.splice(0)) await rules.leave(source);
    // One that says nothing takes away all that others said before they left.
    const last = {};
    await tell(last);
    await rules.leave(last);
  }

  const core = (host: string) => ({ ...{ host, port, tls: true }, ...{ isCore: true, mayBePrivate: true } });
  const policy = (id: string, appAddress: string, more: Partial<EgressPolicy> = {}): EgressPolicy => ({
    ...{ id, versionId: `version of ${id}`, appAddress, anyHost: false },
    stateApi: { host: "state.platform.svc", port: 4001 },
    rules: [core(`${id}.example`)],
    ...more,
  });
  const said: Source[] = [];
  function tell(source: Source, ...policies: EgressPolicy[]) {
    said.push(source);
    return rules.follow({ sequence: 1, from: "worker", policies, own: [], never: [] }, source);
  }

  async function open(from: string): Promise<Socket> {
    const socket = connect({ host: GUARD, port, localAddress: from });
    sockets.add(socket.on("error", () => undefined));
    await once(socket, "connect").catch(() => undefined);
    return socket;
  }

  /** What comes back for a TLS greeting. */
  async function greet(from: string, host: string): Promise<"passed" | "refused" | "nothing"> {
    const socket = await open(from);
    if (socket.destroyed) return "nothing";
    const greeting = splitRecords(createClientHello([extension(0, serverName(host))]));
    socket.write(greeting);
    const [first] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [undefined])]);
    socket.destroy();
    if (!(first instanceof Buffer)) return "nothing";
    return first[0] === 21 ? "refused" : "passed";
  }

  /** The address and the seconds of an answer; its code if there is no address. Undefined without an answer. */
  async function look(from: string, name: string): Promise<string | undefined> {
    const socket = createSocket("udp4").bind(0, from);
    await once(socket, "listening");
    const labels = name.split(".").flatMap((label) => [label.length, ...Buffer.from(label)]);
    const query = Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...labels, 0, 0, 1, 0, 1]);
    socket.send(query, 53, GUARD);
    const answer: Buffer | undefined = await Promise.race([
      once(socket, "message").then(([message]) => message),
      sleep(500, undefined),
    ]);
    socket.close();
    if (answer === undefined) return undefined;
    const code = (answer[3] ?? 0) & 15;
    return code === 0
      ? `${[...answer.subarray(-4)].join(".")} ${answer.readUInt32BE(answer.length - 10)}`
      : `code ${code}`;
  }

  // Guarantee: of all that reach the guard's one address, each app has its own rules, and is counted for itself.
  test("apps are told apart by the addresses that they come from", async () => {
    rules.counters.takeChanged();
    expect(await tell({}, policy("one", ONE), policy("two", TWO))).toEqual([]);
    expect([await greet(ONE, "one.example"), await greet(ONE, "two.example")]).toEqual(["passed", "refused"]);
    expect([await greet(TWO, "one.example"), await greet(TWO, "two.example")]).toEqual(["refused", "passed"]);
    const counts = rules.counters.takeChanged().map(({ id, host, connections, refused }) => ({
      ...{ id, host, connections, refused },
    }));
    expect(counts.sort((a, b) => (a.id + a.host < b.id + b.host ? -1 : 1))).toEqual([
      { id: "one", host: "one.example", connections: 1, refused: 0 },
      { id: "one", host: "two.example", connections: 0, refused: 1 },
      { id: "two", host: "one.example", connections: 0, refused: 1 },
      { id: "two", host: "two.example", connections: 1, refused: 0 },
    ]);
  });

  // Guarantee: what isn't an app of this platform gets nothing, not even a "no", and can't fill up what is counted.
  test("an address that no app has gets nothing, and is counted nowhere", async () => {
    await tell({}, policy("one", ONE));
    rules.counters.takeChanged();
    expect(await greet(STRANGER, "one.example")).toBe("nothing");
    expect(await look(STRANGER, "one.example")).toBeUndefined();
    expect(listening.isApp(STRANGER)).toBe(false);
    expect(listening.knows("one", STRANGER)).toBe(false);
    expect(rules.counters.takeChanged()).toEqual([]);
  });

  test("names lead to this guard for a moment, the state API's to itself, and no other leads anywhere", async () => {
    await tell({}, policy("one", ONE), policy("two", TWO, { stateApi: { host: "10.1.2.3", port: 4001 } }));
    expect(await look(ONE, "one.example")).toBe(`${GUARD} 5`);
    expect(await look(ONE, "state.platform.internal")).toBe(`${STATE} 30`);
    expect(await look(TWO, "state.platform.internal")).toBe("10.1.2.3 30");
    expect(await look(ONE, "two.example")).toBe("code 3");
    expect(await look(ONE, "kubernetes.default.svc.cluster.local")).toBe("code 3");
  });

  // Guarantee: no customer's core leads an app to the API server, to a node, to another app, or to the guard itself.
  test("a core at an address that is closed to all is refused, though cores may be private", async () => {
    const at = (address: string) => ({ ...core(`${address.replaceAll(".", "-")}.core.internal`), address });
    const closed = [GUARD, "127.67.0.50", "10.96.3.4"];
    const source = {};
    said.push(source);
    const order = { sequence: 1, from: "worker", own: [], never: ["127.67.0.50", "10.96.0.0/12"] };
    const given = policy("one", ONE, { rules: [...closed.map(at), at(SERVER)] });
    await rules.follow({ ...order, policies: [given] }, source);
    for (const { host } of closed.map(at)) expect(await greet(ONE, host)).toBe("refused");
    expect(await greet(ONE, at(SERVER).host)).toBe("passed");
    expect(rules.counters.takeChanged()).toContainEqual(
      expect.objectContaining({
        ...{ host: "10-96-3-4.core.internal", refused: 1 },
        reason: "has an address that is closed to all apps",
      }),
    );
  });

  // Guarantee: a Pod that gets the address of one that is gone never has its rules, whichever worker is behind.
  test("of two Pods with one address, the later one has it, and the connections of the other end", async () => {
    const [ahead, behind]: [Source, Source] = [{}, {}];
    await tell(ahead, policy("one", ONE, { createdAt: 1_000 }));
    const old = await open(ONE);
    const ended = once(old, "close");
    await tell(ahead, policy("next", ONE, { createdAt: 2_000 }));
    await ended;
    await tell(behind, policy("one", ONE, { createdAt: 1_000 }));
    expect([await greet(ONE, "one.example"), await greet(ONE, "next.example")]).toEqual([
      "refused",
      "passed",
    ]);
    expect([listening.knows("next", ONE), listening.knows("next", TWO)]).toEqual([true, false]);
  });

  // Guarantee: a guard that no worker reaches learns from a new Pod itself that the Pod before it is gone.
  test("a Pod that asks for another UID than the guard knows gets nothing until a worker told its rules", async () => {
    await tell({}, policy("one", ONE));
    const old = await open(ONE);
    const ended = once(old, "close");
    expect(listening.knows("next", ONE)).toBe(false);
    await ended;
    expect([await greet(ONE, "one.example"), await look(ONE, "one.example")]).toEqual(["nothing", undefined]);
    await tell({}, policy("one", ONE), policy("next", ONE, { createdAt: 5 }));
    expect(listening.knows("next", ONE)).toBe(true);
    expect(await greet(ONE, "next.example")).toBe("passed");
  });

  test("a worker that learns of an app later takes nothing from it, and one that is gone takes nothing at once", async () => {
    const [first, second]: [Source, Source] = [{}, {}];
    await tell(first, policy("one", ONE), policy("two", TWO));
    await tell(second, policy("two", TWO));
    expect(await greet(ONE, "one.example")).toBe("passed");
    // It alone knew of it.
    await rules.leave(first);
    expect(await greet(ONE, "one.example")).toBe("nothing");
    // While no worker runs, apps go on.
    await rules.leave(second);
    expect(await greet(TWO, "two.example")).toBe("passed");
    await tell({}, policy("one", ONE));
    expect([await greet(ONE, "one.example"), await greet(TWO, "two.example")]).toEqual(["passed", "nothing"]);
  });

  test("a policy that can't be put into force is named, and its Pod waits", async () => {
    const reserved = { ...core("one.example"), port: CONTROL_PORT };
    const failed = await tell(
      {},
      policy("one", ONE, { stateApi: { host: "absent.platform.svc", port: 4001 } }),
      policy("two", TWO, { rules: [reserved] }),
    );
    expect(failed).toEqual([
      { id: "one", reason: "the state API's name absent.platform.svc has no address in the cluster" },
    ]);
    expect([listening.knows("one", ONE), listening.knows("two", TWO)]).toEqual([false, true]);
  });
});
