/** In which order a start changes the cluster, and what Pods from before keep. */
import { expect, test } from "vitest";
import { z } from "zod";
import type { Cluster } from "./client";
import type { ClusterGuards } from "./guards";
import type { AppOptions } from "./objects";
import { type Pod, podShape } from "./pod";
import { startPod } from "./start-pod";
import type { PodWatch } from "./watch";

const versionId = "01993a5e-7c1c-7aaa-8bbb-0123456789ab";
const order = {
  ...{ bundleKind: "image" as const, versionId, replica: 1, organizationId: "o", appName: "vin-autofill" },
  ...{ imageDigest: "sha256:0", imageReference: "registry.example/apps@sha256:1" },
  openArchive: () => Promise.reject(new Error("nodes pull images")),
  environment: { PLATFORM_STATE_API: "http://gateway.platform:4001" },
};
const place = { nameServer: "10.96.0.53", guards: ["10.244.1.7"], pods: [] };
const app: AppOptions = {
  ...{ owner: "platform-1", namespace: "apps", pullSecret: "", guardImage: "own/image:1" },
  limits: { memoryBytes: 1, cpus: 1, processes: 1 },
  ...{ callers: [], stateApi: [], reachable: [], guards: place },
};
const guards: ClusterGuards = {
  place: async () => place,
  refresh: async () => undefined,
  explain: () => undefined,
  close: () => undefined,
};

const pod = (name: string, labels: object = {}): Pod =>
  podShape.parse({
    metadata: { name, uid: name, labels: { "platform.version": versionId, ...labels } },
    status: { phase: "Running", podIP: "10.244.1.9" },
  });

const named = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });

/** What a start does, and the Pod that it creates, where these others run. */
async function start(options: AppOptions, others: readonly Pod[], explain = guards.explain, ends?: string) {
  const steps: string[] = [];
  let created: unknown;
  const note = (object: unknown) => {
    const { kind, metadata } = named.parse(object);
    steps.push(`${kind} ${metadata.name.replace(versionId, "v")}`);
    return { metadata: { uid: "uid-1" } };
  };
  const cluster: Cluster = {
    send: async ({ body }) => {
      created = body;
      return note(body);
    },
    apply: async (_, object) => note(object),
    stream: () => Promise.reject(new Error("nothing is followed")),
    close: async () => undefined,
  };
  const watch: PodWatch = {
    connected: Promise.resolve(),
    find: async () => undefined,
    list: async () => [...others],
    peek: () => (ends === undefined ? pod("app-v-1") : podShape.parse(JSON.parse(ends))),
    until: async (look) => look() ?? Promise.reject(new Error("nothing happened to the Pod")),
    onChange: () => () => undefined,
    end: () => undefined,
  };
  const starter = {
    ...{ cluster, watch, namespace: "apps", roomMs: 1 },
    guards: { ...guards, explain },
    describe: async () => options,
    stop: async () => "ended" as const,
  };
  await startPod(starter, order).catch((error: unknown) => steps.push(String(error)));
  return { steps, created };
}

const RUNNING = JSON.stringify({
  metadata: { name: "app-v-1", uid: "uid-1" },
  status: { podIP: "10.244.1.9", containerStatuses: [{ name: "app", state: { running: {} } }] },
});

// Guarantee: no Pod ever runs before its policy is there, and none from before loses its own.
test("policies come before the Pod, and one from before keeps its way until it is replaced", async () => {
  const old = pod("app-v-0");
  const guarded = pod("app-v-2", { "platform.name-server": "10.96.0.53" });
  const kept = ["NetworkPolicy app-v", "PodDisruptionBudget app-v", "Pod app-v-1"];
  expect((await start(app, [old, guarded], undefined, RUNNING)).steps).toEqual([
    "Service app-v",
    "NetworkPolicy app-v-before",
    ...kept,
  ]);
  expect((await start(app, [guarded], undefined, RUNNING)).steps).toEqual(["Service app-v", ...kept]);
  const open = await start({ ...app, guards: undefined }, [old], undefined, RUNNING);
  expect(open.steps).toEqual(["Service app-v", ...kept]);
  expect(JSON.stringify(open.created)).not.toContain("dnsPolicy");
});

test("an app that the guards couldn't serve says why", async () => {
  const ended = JSON.stringify({
    metadata: { name: "app-v-1", uid: "uid-1" },
    status: {
      phase: "Failed",
      initContainerStatuses: [{ name: "network", state: { terminated: { exitCode: 2 } } }],
    },
  });
  const explain = (uid: string) => (uid === "uid-1" ? "port 8443: EADDRINUSE" : undefined);
  const { steps } = await start(app, [], explain, ended);
  expect(steps.at(-1)).toContain("An egress guard can't serve the app's Pod: port 8443: EADDRINUSE");
});
