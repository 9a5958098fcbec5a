import Docker from "dockerode";
import { expect, onTestFinished, test, vi } from "vitest";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { one } from "@/tests/test-platform";
import { readEnvironment } from "../../platform/environment";
import { createRuntimes } from "./choose-runtime";
import { InstanceFailure } from "./runtime";

const runtime = one(fakeRuntimes((response) => void response.end("ok"), "kubernetes").runtimes.all);
const READY = {
  PLATFORM_REGISTRY_URL: "https://registry.example/platform/apps",
  PLATFORM_KUBERNETES_CALLERS: "platform/part-of=platform",
};

function given(settings: Record<string, string>, failure?: InstanceFailure) {
  const environment = readEnvironment({
    DATABASE_URL: "postgres://unused",
    PLATFORM_MASTER_KEYS: "unused",
    PLATFORM_RUNTIME: "kubernetes",
    ...settings,
  });
  return createRuntimes(environment, { runtime, findFailure: async () => failure });
}

// Guarantee: where the operator chose a cluster, nothing runs on the worker's machine instead.
test("a cluster runs all images, and nothing else runs anything", async () => {
  const runtimes = given(READY);
  expect(await runtimes.forBundle("image", false)).toBe(runtime);
  expect(runtimes.all).toEqual([runtime]);
  expect(runtimes.byName("docker")).toBeUndefined();
  expect(await runtimes.describe()).toEqual([{ name: "kubernetes", isolates: true, unavailable: undefined }]);
  await expect(runtimes.forBundle("example-folder", false)).rejects.toMatchObject({
    reasonCode: "RUNTIME_NOT_AVAILABLE",
  });
});

test.each([
  ["PLATFORM_REGISTRY_URL", { PLATFORM_KUBERNETES_CALLERS: READY.PLATFORM_KUBERNETES_CALLERS }],
  ["PLATFORM_KUBERNETES_CALLERS", { PLATFORM_REGISTRY_URL: READY.PLATFORM_REGISTRY_URL }],
])("without %s, no app is started, and the reason names it", async (name, settings) => {
  const runtimes = given(settings);
  await expect(runtimes.forBundle("image", false)).rejects.toMatchObject({
    reasonCode: "RUNTIME_NOT_AVAILABLE",
    detail: expect.stringContaining(name),
  });
  expect(await runtimes.findIsolating()).toBeUndefined();
});

const GUARDED = {
  ...READY,
  PLATFORM_EGRESS_SERVICE: "platform-guard.platform.svc",
  PLATFORM_EGRESS_NAMES: "platform-names.platform.svc",
  PLATFORM_EGRESS_PODS: "platform/app-hosting.egress-guard=platform",
  PLATFORM_EGRESS_KEY: "k".repeat(32),
  PLATFORM_KUBERNETES_GUARD_IMAGE: "registry.example/app-hosting:1",
};

// Guarantee: where the operator wants the guards, a missing setting never opens the network.
test.each(Object.keys(GUARDED).filter((name) => !(name in READY)))(
  "without %s, no app starts where the egress guard is required",
  async (name) => {
    const settings = { ...GUARDED, PLATFORM_EGRESS: "guard", [name]: "" };
    await expect(given(settings).forBundle("image", false)).rejects.toMatchObject({
      reasonCode: "RUNTIME_NOT_AVAILABLE",
      detail: expect.stringContaining(name),
    });
  },
);

test("with all settings of the guards, with none of them, or turned off, apps start", async () => {
  for (const settings of [
    { ...GUARDED, PLATFORM_EGRESS: "guard" },
    GUARDED,
    READY,
    { ...GUARDED, PLATFORM_EGRESS: "open", PLATFORM_EGRESS_KEY: "" },
  ])
    expect(await given(settings).findIsolating()).toBeDefined();
  expect(await given({ ...GUARDED, PLATFORM_EGRESS_NAMES: "" }).findIsolating()).toBeUndefined();
});

test("a key that is short, and ranges that are none, are refused at the start", () => {
  expect(() => given({ PLATFORM_EGRESS_KEY: "short" })).toThrow("PLATFORM_EGRESS_KEY");
  expect(() => given({ PLATFORM_EGRESS_NEVER: "10.96.0.0/12,here" })).toThrow("PLATFORM_EGRESS_NEVER");
});

test("while the cluster is away, starts say so", async () => {
  const away = new InstanceFailure("CLUSTER_UNREACHABLE", "The API server does not respond.");
  const runtimes = given(READY, away);
  await expect(runtimes.forBundle("image", true)).rejects.toBe(away);
  expect(await runtimes.describe()).toMatchObject([{ unavailable: away.detail }]);
});

test("a setting that is no list of peers is refused at the start", () => {
  expect(() => given({ PLATFORM_KUBERNETES_EGRESS: "10.1.2.0/33" })).toThrow("PLATFORM_KUBERNETES_EGRESS");
});

// Guarantee: an operator whose user may not use the engine isn't told to start it.
test("a socket without permission is told apart from an engine that is not running", async () => {
  const ping = vi.spyOn(Docker.prototype, "ping");
  onTestFinished(() => ping.mockRestore());
  const environment = readEnvironment({ DATABASE_URL: "postgres://unused", PLATFORM_MASTER_KEYS: "unused" });
  const describe = async () => one((await createRuntimes(environment).describe()).slice(0, 1)).unavailable;
  ping.mockRejectedValue(new Error("connect EACCES /var/run/docker.sock"));
  expect(await describe()).toMatch(/EACCES.*add it to the socket's group/);
  ping.mockRejectedValue(new Error("connect ECONNREFUSED /var/run/docker.sock"));
  expect(await describe()).toMatch(/ECONNREFUSED.*Start Docker/);
});
