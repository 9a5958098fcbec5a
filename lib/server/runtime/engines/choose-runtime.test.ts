import { expect, test } from "vitest";
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

test("while the cluster is away, starts say so", async () => {
  const away = new InstanceFailure("CLUSTER_UNREACHABLE", "The API server does not respond.");
  const runtimes = given(READY, away);
  await expect(runtimes.forBundle("image", true)).rejects.toBe(away);
  expect(await runtimes.describe()).toMatchObject([{ unavailable: away.detail }]);
});

test("a setting that is no list of peers is refused at the start", () => {
  expect(() => given({ PLATFORM_KUBERNETES_EGRESS: "10.1.2.0/33" })).toThrow("PLATFORM_KUBERNETES_EGRESS");
});
