/** In which order a start changes the cluster, and what Pods from before keep. */
import pino from "pino";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Cluster, ClusterError } from "./client";
import type { ClusterGuards } from "./guards";
import type { AppOptions } from "./objects";
import { type Pod, podShape } from "./pod";
import { kubernetesRuntime } from "./kubernetes";
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
async function start(
  options: AppOptions,
  others: readonly Pod[],
  explain = guards.explain,
  ends?: string,
  taken: object = {},
) {
  const steps: string[] = [];
  let created: unknown;
  const note = (object: unknown) => {
    const { kind, metadata } = named.parse(object);
    steps.push(`${kind} ${metadata.name.replace(versionId, "v")}`);
    return { metadata: { uid: "uid-1" } };
  };
  const cluster: Cluster = {
    send: async ({ path, body }) => {
      const name = path.split("/").at(-1) ?? "";
      if (name === "events") return { items: events };
      if (body === undefined) return { metadata: { name, uid: "0123456789", ...taken } };
      created = body;
      const noted = note(body);
      const isTaken = Object.keys(taken).length > 0 && named.parse(body).metadata.name === POD;
      if (isTaken) throw new ClusterError(409, "AlreadyExists", "there is one");
      return noted;
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
    until: async (look) => look(),
    onChange: () => () => undefined,
    end: () => undefined,
  };
  const starter = {
    ...{ cluster, watch, log: pino({ level: "silent" }), namespace: "apps", roomMs: 1 },
    guards: { ...guards, explain },
    describe: async () => options,
    stop: async () => "ended" as const,
  };
  await startPod(starter, order).catch((error: unknown) => steps.push(String(error)));
  return { steps, created };
}

const POD = `app-${versionId}-1`;
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

const events = [
  { reason: "Pulled", involvedObject: { fieldPath: "spec.initContainers{network}" } },
  { reason: "Pulling", involvedObject: { fieldPath: "spec.containers{app}" } },
];

test("a start that takes too long because of the registry says so", async () => {
  const pulling = JSON.stringify({
    metadata: { name: "app-v-1", uid: "uid-1" },
    status: {
      containerStatuses: [{ name: "app", state: { waiting: { reason: "ContainerCreating" } } }],
    },
  });
  const { steps } = await start(app, [], undefined, pulling);
  expect(steps.at(-1)).toContain("did not get the whole image from the registry within 5 minutes");
});

// Guarantee: a Pod that somebody's finalizer keeps doesn't keep its replica from running, and no replica runs twice.
test("a replica whose Pod can't be removed gets another name, the same for every worker", async () => {
  const kept = { deletionTimestamp: "2026-11-28T05:00:15Z", finalizers: ["example.com/backup"] };
  const { steps } = await start(app, [], undefined, RUNNING, kept);
  expect(steps.slice(-2)).toEqual(["Pod app-v-1", "Pod app-v-1-01234567"]);
  // One that can be removed is removed first. Here, it never goes.
  const { steps: others } = await start(app, [], undefined, RUNNING, { finalizers: [] });
  expect(others.slice(-5)).toEqual([
    ...Array.from({ length: 4 }, () => "Pod app-v-1"),
    "Problem: UNAVAILABLE: The replica's Pod from before can't be removed.",
  ]);
});

// Guarantee: nobody opens an app's network for longer than a few minutes by hand, and a version that has no Pod is left alone.
test("what others changed is put back for versions that run, and changes nothing otherwise", async () => {
  const labels = {
    "platform.version": versionId,
    "platform.organization": "o",
    "app.kubernetes.io/name": "vin-autofill",
  };
  const running = {
    metadata: { name: POD, uid: "u", labels, ownerReferences: [{ uid: "service-uid" }] },
    status: { phase: "Running" },
  };
  const service = (id: string) => ({
    metadata: {
      ...{ name: `app-${id}`, resourceVersion: "1", labels: { ...labels, "platform.version": id } },
      annotations: { "platform.start": "start-1" },
    },
  });
  const applied: object[] = [];
  const cluster: Cluster = {
    send: async ({ path }) =>
      path.endsWith("/services")
        ? { items: [service(versionId), service("without-pods")] }
        : { metadata: { resourceVersion: "1" }, items: [running] },
    apply: async (_, object) => {
      applied.push(object);
      return { metadata: { uid: "service-uid" } };
    },
    stream: () => new Promise(() => {}),
    close: async () => undefined,
  };
  const { runtime } = kubernetesRuntime(cluster, {
    ...app,
    log: pino({ level: "silent" }),
    readOwner: async () => "platform-1",
  });
  await runtime.putBack?.();
  await runtime.close();
  expect(applied).toMatchObject([
    {
      ...{ kind: "Service", spec: { clusterIP: "None" } },
      metadata: {
        name: `app-${versionId}`,
        labels: { ...labels, "platform.instance-of": "platform-1" },
        annotations: { "platform.start": "start-1" },
      },
    },
    { kind: "NetworkPolicy", metadata: { ownerReferences: [{ uid: "service-uid" }] } },
    { kind: "PodDisruptionBudget", spec: { minAvailable: 0 } },
  ]);
});
