/** Workers and guards of a cluster, on loopback addresses: real guards, and a watch that says what the test says. */
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { type Control, serveControl } from "@/guard/control";
import { createRules, type Rules } from "@/guard/rules";
import { createSharedListeners, type SharedListeners } from "@/guard/shared-listeners";
import { createStateAddresses } from "@/guard/state-addresses";
import type { AllowedHosts, EgressCount } from "@/lib/contract/runtime/egress";
import { CONTROL_PORT } from "@/lib/domain/runtime/egress/control";
import { type ClusterGuards, createClusterGuards } from "./guards";
import { type Pod, podShape } from "./pod";
import type { PodWatch } from "./watch";

const [FIRST, SECOND] = ["127.69.0.3", "127.69.0.4"];
const KEY = "k".repeat(48);
const canListen = process.platform === "linux" && process.getuid?.() === 0;

interface Guard {
  rules: Rules;
  listening: SharedListeners;
  control: Control;
}

describe.skipIf(!canListen)("egress guards", () => {
  const ending: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });

  async function startGuard(address: string, key = KEY): Promise<Guard> {
    const listening = createSharedListeners(
      address,
      createStateAddresses(async () => "10.96.0.7"),
    );
    const rules = createRules(listening);
    const { isApp } = listening;
    const control = await serveControl({ address, key, rules, isApp, log: () => undefined });
    ending.push(async () => {
      control.close();
      await sleep(20);
      // Its ports are closed with its last app.
      const last = {};
      await rules.follow({ sequence: 0, from: "end", policies: [], own: [], never: [] }, last);
    });
    return { rules, listening, control };
  }

  function createWatch() {
    const pods = new Map<string, Pod>();
    const listeners = new Set<(pod: Pod, isGone: boolean) => void>();
    const watch: PodWatch = {
      connected: Promise.resolve(),
      find: async (uid) => pods.get(uid),
      list: async () => [...pods.values()],
      peek: (uid) => pods.get(uid),
      until: async () => undefined,
      onChange: (listen) => {
        listeners.add(listen);
        return () => listeners.delete(listen);
      },
      end: () => undefined,
    };
    const put = (uid: string, podIP: string, more: { phase?: string; labels?: object } = {}) => {
      const { phase = "Running", labels = { "platform.name-server": "10.96.0.53" } } = more;
      const pod = podShape.parse({
        metadata: {
          ...{ name: `app-${uid}`, uid, creationTimestamp: "2026-11-28T10:00:00Z" },
          labels: { "platform.version": `version of ${uid}`, ...labels },
          annotations: { "platform.state-api": "http://state.platform.svc:4001" },
        },
        status: { phase, podIP, hostIP: "10.245.0.1" },
      });
      pods.set(uid, pod);
      for (const listen of listeners) listen(pod, false);
    };
    const remove = (uid: string) => {
      const pod = pods.get(uid);
      pods.delete(uid);
      if (pod !== undefined) for (const listen of listeners) listen(pod, true);
    };
    return { watch, put, remove };
  }

  function startWorker(
    watch: PodWatch,
    {
      service = `${FIRST},${SECOND}`,
      key = KEY,
      allowed = (_version: string): AllowedHosts => NOTHING,
      read = async () => {},
    } = {},
  ): { guards: ClusterGuards; counts: EgressCount[] } {
    const counts: EgressCount[] = [];
    const guards = createClusterGuards(watch, {
      readAllowed: async (ids) => {
        await read();
        return new Map(ids.map((id) => [id, allowed(id)]));
      },
      noteCounts: (_, changed) => void counts.push(...changed),
      ...{ service, names: "10.96.0.53", key, never: ["10.96.0.0/12"] },
      pods: [{ to: { namespace: "platform", label: { name: "part", value: "guard" } } }],
    });
    ending.push(() => guards.close());
    return { guards, counts };
  }

  const NOTHING: AllowedHosts = { anyHost: false, rules: [] };
  const knows = (guards: readonly Guard[], uid: string, address: string) =>
    guards.map(({ listening }) => listening.knows(uid, address));

  // Guarantee: a Pod has its rules at every guard when it has an address, and at none when it is gone; nobody has to ask for it.
  test("all guards know each Pod that has an address, and none that has ended or is from before", async () => {
    const guards = [await startGuard(FIRST), await startGuard(SECOND)];
    const { watch, put, remove } = createWatch();
    put("one", "127.69.0.11");
    const { guards: worker } = startWorker(watch);
    await worker.refresh();
    await expect.poll(() => knows(guards, "one", "127.69.0.11")).toEqual([true, true]);
    put("pending", "", { phase: "Pending" });
    put("two", "127.69.0.12", { phase: "Pending" });
    await expect.poll(() => knows(guards, "two", "127.69.0.12")).toEqual([true, true]);
    put("ended", "127.69.0.13", { phase: "Succeeded" });
    put("before", "127.69.0.14", { labels: {} });
    remove("one");
    await expect.poll(() => knows(guards, "one", "127.69.0.11")).toEqual([false, false]);
    expect(guards.map(({ listening }) => listening.isApp("127.69.0.13"))).toEqual([false, false]);
    expect(guards.map(({ listening }) => listening.isApp("127.69.0.14"))).toEqual([false, false]);
  });

  test("a guard that starts later is told, and while one is away, the others are", async () => {
    const first = await startGuard(FIRST);
    const { watch, put } = createWatch();
    put("one", "127.69.0.11");
    const { guards: worker } = startWorker(watch);
    await worker.refresh();
    expect(knows([first], "one", "127.69.0.11")).toEqual([true]);
    // Nobody has to ask for it.
    const second = await startGuard(SECOND);
    await expect.poll(() => knows([second], "one", "127.69.0.11")).toEqual([true]);
    first.control.close();
    put("two", "127.69.0.12");
    await worker.refresh();
    expect(knows([second], "two", "127.69.0.12")).toEqual([true]);
    expect(await worker.place()).toMatchObject({ nameServer: "10.96.0.53", guards: [FIRST, SECOND] });
  });

  // Guarantee: a guard that was killed has its rules again soon, though nobody asks for it.
  test("a guard that starts again is told by itself", async () => {
    const other = await startGuard(SECOND);
    const killed = await startGuard(FIRST);
    const { watch, put } = createWatch();
    put("one", "127.69.0.11");
    const { guards: worker } = startWorker(watch);
    await worker.refresh();
    await expect.poll(() => knows([killed, other], "one", "127.69.0.11")).toEqual([true, true]);
    killed.control.close();
    await killed.rules.follow({ sequence: 0, from: "end", policies: [], own: [], never: [] }, {});
    // For a while, nothing is there.
    await sleep(800);
    const again = await startGuard(FIRST);
    await expect.poll(() => knows([again], "one", "127.69.0.11")).toEqual([true]);
  });

  test("however many ask at once, one round follows another, and the last has all that changed", async () => {
    const guards = [await startGuard(FIRST)];
    const { watch, put } = createWatch();
    let [atOnce, most, rounds] = [0, 0, 0];
    const { guards: worker } = startWorker(watch, {
      service: FIRST,
      read: async () => {
        rounds += 1;
        atOnce += 1;
        most = Math.max(most, atOnce);
        await sleep(5);
        atOnce -= 1;
      },
    });
    await worker.refresh();
    const asked: Promise<void>[] = [];
    for (let index = 10; index < 60; index += 1) {
      put(`pod ${index}`, `127.69.1.${index}`);
      asked.push(worker.refresh().then(() => worker.refresh()));
    }
    await Promise.all(asked);
    expect([most, rounds < 10]).toEqual([1, true]);
    expect(knows(guards, "pod 59", "127.69.1.59")).toEqual([true]);
  });

  test("rules that change reach all guards with the next round", async () => {
    const guards = [await startGuard(FIRST), await startGuard(SECOND)];
    const { watch, put } = createWatch();
    put("one", "127.69.0.11");
    let port = 61_101;
    const { guards: worker } = startWorker(watch, {
      allowed: () => ({
        anyHost: false,
        rules: [{ host: "a.example", port, tls: true, isCore: false, mayBePrivate: false }],
      }),
    });
    await worker.refresh();
    await expect.poll(() => knows(guards, "one", "127.69.0.11")).toEqual([true, true]);
    // The guard's own port is in use by another program.
    const other = createServer().listen(61_102, FIRST);
    ending.push(() => other.close());
    port = 61_102;
    await worker.refresh();
    expect(worker.explain("one")).toMatch(/EADDRINUSE/);
    expect(knows(guards, "one", "127.69.0.11")).toEqual([false, true]);
  });

  // Guarantee: what has the guard's address but not its key learns nothing, and its counts count nowhere.
  test("without a guard that has the key, nothing is told, and the failure says what to check", async () => {
    const impostor = await startGuard(FIRST, "i".repeat(48));
    const { watch, put } = createWatch();
    put("one", "127.69.0.11");
    const { guards: worker } = startWorker(watch, { service: FIRST });
    await expect(worker.refresh()).rejects.toMatchObject({
      reasonCode: "NETWORK_FAILED",
      detail: expect.stringContaining("PLATFORM_EGRESS_KEY"),
    });
    expect(impostor.rules.isTold()).toBe(false);
    const away = startWorker(watch, { service: "127.69.0.99" }).guards;
    await expect(away.refresh()).rejects.toMatchObject({ reasonCode: "NETWORK_FAILED" });
    await expect(startWorker(watch, { service: "guard.invalid" }).guards.place()).rejects.toMatchObject({
      reasonCode: "NETWORK_FAILED",
    });
  });

  // Guarantee: what took the address of a guard that is gone gets neither the key nor a rule, whatever it answers.
  test.each([
    ["made-up bytes", () => Buffer.alloc(32, 7).toString("base64url")],
    ["the worker's own proof", (proof: string) => proof],
  ])("an impostor that answers with %s hears no order", async (_, answer) => {
    const heard: string[] = [];
    const impostor = createServer((socket) => {
      socket.on("error", () => undefined).write(`${JSON.stringify({ nonce: "n".repeat(64) })}\n`);
      createInterface({ input: socket })
        .on("error", () => undefined)
        .on("line", (line) => {
          heard.push(line);
          socket.write(`${JSON.stringify({ proof: answer(String(JSON.parse(line).proof)) })}\n`);
        });
    });
    await new Promise<void>((resolve) => impostor.listen(CONTROL_PORT, FIRST, resolve));
    ending.push(() => impostor.close());
    const { watch, put } = createWatch();
    put("one", "127.69.0.11");
    const { guards: worker } = startWorker(watch, { service: FIRST });
    await expect(worker.refresh()).rejects.toMatchObject({
      ...{ reasonCode: "NETWORK_FAILED", detail: expect.stringContaining("does not have the key") },
    });
    expect(heard.filter((line) => line.includes("policies") || line.includes(KEY))).toEqual([]);
    expect(heard).not.toEqual([]);
  });

  // Guarantee: two guards count the same app, and nothing of it is lost or counted twice.
  test("each guard's counts have counters of their own", async () => {
    const guards = [await startGuard(FIRST), await startGuard(SECOND)];
    const { watch, put } = createWatch();
    put("one", "127.69.0.11");
    const { guards: worker, counts } = startWorker(watch);
    await worker.refresh();
    await expect.poll(() => knows(guards, "one", "127.69.0.11")).toEqual([true, true]);
    for (const [index, { rules, control }] of guards.entries()) {
      rules.counters.connected({ id: "one", versionId: "v" }, "a.example", 443);
      control.report({ boot: `boot ${index}`, counts: rules.counters.takeChanged() });
    }
    await expect.poll(() => counts.map(({ id }) => id).sort()).toEqual(["one/boot 0", "one/boot 1"]);
  });
});
