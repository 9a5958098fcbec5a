/** The guard's program as it is bundled, as an engine and as a cluster start it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { ASK_PORT } from "@/lib/domain/runtime/egress/control";
import { createClusterGuards } from "@/lib/server/runtime/kubernetes/guards";
import type { PodWatch } from "@/lib/server/runtime/kubernetes/watch";

const GUARD = "127.72.0.3";
const KEY = "k".repeat(48);

function start(settings: Record<string, string>) {
  const child = spawn(process.execPath, [".build/guard.js"], {
    env: { NODE_ENV: "test", ...settings },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, lines: createInterface({ input: child.stdout }) };
}

const end = async (child: ChildProcess) => (await once(child, "exit"))[0];

const ask = (path: string) =>
  request(`http://${GUARD}:${ASK_PORT}${path}`, { reset: true }).then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode;
    },
    () => 0,
  );

const nothing: PodWatch = {
  connected: Promise.resolve(),
  find: async () => undefined,
  list: async () => [],
  peek: () => undefined,
  until: async () => undefined,
  onChange: () => () => undefined,
  end: () => undefined,
};

describe.skipIf(process.platform !== "linux")("the guard's program", () => {
  test("on an engine, it follows its standard input, and ends with it", async () => {
    const { child, lines } = start({});
    const order = { sequence: 3, from: "worker", policies: [], own: [], never: ["127.0.0.0/8"] };
    child.stdin.write(`${JSON.stringify(order)}\n`);
    expect(JSON.parse(String((await once(lines, "line"))[0]))).toEqual({
      ...{ applied: 3, from: "worker", failed: [] },
    });
    child.stdin.end();
    expect(await end(child)).toBe(1);
  });

  test("in a cluster, it is ready when a worker told it the rules, and not anymore when it is about to end", async () => {
    const { child, lines } = start({ PLATFORM_EGRESS_KEY: KEY, POD_IP: GUARD });
    const logged: unknown[] = [];
    lines.on("line", (line) => logged.push(JSON.parse(line)));
    await expect.poll(() => ask("/live")).toBe(200);
    expect(await ask("/ready")).toBe(503);
    const worker = createClusterGuards(nothing, {
      readAllowed: async () => new Map(),
      ...{ service: GUARD, names: GUARD, pods: [], key: KEY, never: [] },
    });
    await worker.refresh();
    expect(await ask("/ready")).toBe(200);
    worker.close();
    child.kill("SIGTERM");
    await expect.poll(() => ask("/ready")).toBe(503);
    expect(await ask("/live")).toBe(200);
    expect(child.exitCode).toBeNull();
    expect(logged).toContainEqual(expect.objectContaining({ part: "guard", msg: "a worker connected" }));
    expect(JSON.stringify(logged)).not.toContain(KEY);
  });

  test.each<Record<string, string>>([
    { PLATFORM_EGRESS_KEY: "short", POD_IP: GUARD },
    { PLATFORM_EGRESS_KEY: KEY },
  ])("without a key or an address, it doesn't start: %o", async (settings) => {
    expect(await end(start(settings).child)).toBe(1);
  });
});
