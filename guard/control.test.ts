/** Who may tell a guard of a cluster its rules. */
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface, type Interface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CONTROL_PORT, proofText } from "@/lib/domain/runtime/egress/control";
import { type Control, serveControl } from "./control";
import { createRules, type Rules } from "./rules";

const [GUARD, WORKER, APP] = ["127.68.0.3", "127.68.0.9", "127.68.0.2"];
const KEY = "k".repeat(48);
const isLinux = process.platform === "linux";

describe.skipIf(!isLinux)("the control port of a guard", () => {
  let control: Control;
  let rules: Rules;
  let applied: string[][];
  const sockets: Socket[] = [];

  beforeEach(async () => {
    applied = [];
    rules = createRules({
      lead: () => ({ guard: { address: GUARD, seconds: 5 } }),
      apply: async (apps) => {
        applied.push(apps.map(({ policy }) => policy.id));
        return [];
      },
    });
    const isApp = (address: string | undefined) => address === APP;
    control = await serveControl({ address: GUARD, key: KEY, rules, isApp, log: () => undefined });
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    control.close();
  });

  interface Caller {
    socket: Socket;
    lines: Interface;
    read: () => Promise<unknown>;
  }

  function call(from = WORKER): Caller {
    const socket = connect({ host: GUARD, port: CONTROL_PORT, localAddress: from });
    sockets.push(socket.on("error", () => undefined));
    const lines = createInterface({ input: socket });
    const closed = once(socket, "close").then(() => "closed");
    const read = () =>
      Promise.race([once(lines, "line").then(([line]): unknown => JSON.parse(line)), closed]);
    return { socket, lines, read };
  }

  const say = ({ socket }: Caller, what: unknown) => socket.write(`${JSON.stringify(what)}\n`);

  const prove = (key: string, side: "guard" | "worker", nonces: { guard: string; worker: string }) =>
    createHmac("sha256", key).update(proofText(side, nonces)).digest("base64url");

  const readNonce = async (caller: Caller): Promise<string> => {
    const challenge = await caller.read();
    return challenge !== null && typeof challenge === "object" && "nonce" in challenge
      ? String(challenge.nonce)
      : "";
  };

  /** Returns what the guard said to the proof. */
  async function greet(caller: Caller, key: string, worker = randomBytes(32).toString("hex")) {
    const nonces = { guard: await readNonce(caller), worker };
    say(caller, { nonce: worker, proof: prove(key, "worker", nonces) });
    return { answer: await caller.read(), proof: prove(key, "guard", nonces) };
  }

  const order = { sequence: 7, from: "w", policies: [], own: [], never: [] };
  const policy = {
    ...{ id: "one", versionId: "v", appAddress: APP, anyHost: false, rules: [] },
    stateApi: { host: "10.0.0.1", port: 80 },
  };

  test("with the key, both sides know each other, and orders are answered", async () => {
    const caller = call();
    const { answer, proof } = await greet(caller, KEY);
    expect(answer).toEqual({ proof });
    expect(rules.isTold()).toBe(false);
    say(caller, { ...order, policies: [policy] });
    expect(await caller.read()).toEqual({ applied: 7, from: "w", failed: [] });
    expect([applied, rules.isTold()]).toEqual([[["one"]], true]);
  });

  // Guarantee: without the key, nobody tells a guard anything, and learns nothing from it.
  test("without the key, with a proof from before or the guard's own, or with an order at once, the connection ends", async () => {
    expect((await greet(call(), "x".repeat(48))).answer).toBe("closed");
    const first = call();
    const nonces = { guard: await readNonce(first), worker: "w".repeat(64) };
    const proof = prove(KEY, "worker", nonces);
    const again = call();
    await readNonce(again);
    say(again, { nonce: nonces.worker, proof });
    expect(await again.read()).toBe("closed");
    // Of its own text, the guard never says what a worker would.
    const mirror = call();
    const theirs = await readNonce(mirror);
    say(mirror, { nonce: theirs, proof: prove(KEY, "guard", { guard: theirs, worker: theirs }) });
    expect(await mirror.read()).toBe("closed");
    for (const start of [order, { nonce: 1, proof: 2 }, "text", null]) {
      const eager = call();
      await readNonce(eager);
      say(eager, start);
      expect(await eager.read()).toBe("closed");
    }
    const long = call();
    await readNonce(long);
    long.socket.write("x".repeat(4_096));
    expect(await long.read()).toBe("closed");
    expect([applied, rules.isTold()]).toEqual([[], false]);
  });

  test("an app gets nothing, not even the question for the key", async () => {
    expect(await call(APP).read()).toBe("closed");
  });

  test("connections that never show the key leave room for workers", async () => {
    const many = Array.from({ length: 40 }, () => call());
    const seen = await Promise.all(many.map(({ read }) => read()));
    expect(seen.filter((each) => each === "closed")).toHaveLength(8);
    for (const { socket } of many) socket.destroy();
    await expect.poll(async () => (await greet(call(), KEY)).answer).toHaveProperty("proof");
  });

  test("an order that can't be read ends the connection, and what it said before stays for the next worker", async () => {
    const caller = call();
    await greet(caller, KEY);
    say(caller, { ...order, policies: [policy] });
    await caller.read();
    caller.socket.write("not JSON\n");
    expect(await caller.read()).toBe("closed");
    expect(applied).toEqual([["one"]]);
    const next = call();
    await greet(next, KEY);
    say(next, order);
    expect(await next.read()).toMatchObject({ applied: 7 });
    expect(applied.at(-1)).toEqual([]);
  });
});
