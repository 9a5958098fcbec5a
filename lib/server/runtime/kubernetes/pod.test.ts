import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { INSTANCE_REASONS, REASON_CODES } from "@/lib/contract/runtime/instance-reasons";
import { explainPull, findEnd, findOrigin, isLeaving, isReady, podShape, readStart } from "./pod";

const MEMORY = 512 * 1024 * 1024;

const given = (status: object, metadata: object = {}) =>
  podShape.parse({ metadata: { name: "app-1-0", uid: "u", ...metadata }, status });
const container = (state: object, rest: object = {}, metadata: object = {}) =>
  given({ podIP: "10.1.1.1", containerStatuses: [{ name: "app", state }], ...rest }, metadata);
const terminated = (more: object) => ({ terminated: { exitCode: 1, reason: "Error", ...more } });

test("an app that runs has an address, also with IPv6", () => {
  const pod = container({ running: {} });
  expect(readStart(pod)).toEqual({ kind: "started" });
  expect(findEnd(pod, MEMORY)).toBeUndefined();
  expect(findOrigin(pod)).toBe("http://10.1.1.1:8080");
  expect(findOrigin(given({ podIP: "fd00::1" }))).toBe("http://[fd00::1]:8080");
});

// Guarantee: each end has the reason that a container engine would give, and what the cluster did is not the app's fault.
test.each([
  ["its own exit code", container(terminated({ exitCode: 3 })), "EXITED", "exited with code 3"],
  ["a signal", container(terminated({ exitCode: 137 })), "EXITED", "was killed by signal SIGKILL"],
  [
    "too much memory",
    container(terminated({ exitCode: 137, reason: "OOMKilled" })),
    "OOM_KILLED",
    "was killed by the kernel because it used more than 512 MiB of memory",
  ],
  [
    "a missing command",
    container(terminated({ exitCode: 128, reason: "StartError", message: "exec: /absent: no such file" })),
    "COMMAND_NOT_STARTED",
    "could not be started: exec: /absent: no such file",
  ],
  [
    "a drained node",
    container(
      terminated({ exitCode: 0, finishedAt: "2026-11-28T05:00:10Z" }),
      { conditions: [{ type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" }] },
      { deletionTimestamp: "2026-11-28T05:00:15Z", deletionGracePeriodSeconds: 15 },
    ),
    "EVICTED",
    "was moved, because its node is being drained",
  ],
  [
    "a crash before its Pod was deleted",
    container(
      terminated({ exitCode: 3, finishedAt: "2026-11-28T04:59:59Z" }),
      {},
      { deletionTimestamp: "2026-11-28T05:00:15Z", deletionGracePeriodSeconds: 15 },
    ),
    "EXITED",
    "exited with code 3",
  ],
  [
    "a node without memory",
    given({ phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." }),
    "EVICTED",
    "was moved, because its node is short of resources (The node was low on resource: memory)",
  ],
  [
    "a drained node whose clock is behind",
    container(
      terminated({ exitCode: 1, finishedAt: "2026-11-28T04:59:00Z" }),
      { conditions: [{ type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" }] },
      { deletionTimestamp: "2026-11-28T05:00:15Z", deletionGracePeriodSeconds: 15 },
    ),
    "EVICTED",
    "was moved, because its node is being drained",
  ],
  [
    "a deleted Pod whose node's clock is behind",
    container(
      terminated({ exitCode: 143, finishedAt: "2026-11-28T04:59:00Z" }),
      {},
      { deletionTimestamp: "2026-11-28T05:00:15Z", deletionGracePeriodSeconds: 15 },
    ),
    "EVICTED",
    "was moved, because its Pod was deleted",
  ],
  [
    "a full disk of its own",
    given({
      ...{ phase: "Failed", reason: "Evicted" },
      message: "Pod ephemeral local storage usage exceeds the total limit of containers 256Mi. ",
    }),
    "EXITED",
    "was ended, because it wrote more to its disk than it may (Pod ephemeral local storage usage exceeds the total limit of containers 256Mi)",
  ],
  [
    "a full /tmp",
    container(terminated({ exitCode: 137 }), {
      conditions: [
        {
          ...{ type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet" },
          message: 'Usage of EmptyDir volume "tmp" exceeds the limit "64Mi". ',
        },
      ],
    }),
    "EXITED",
    'was ended, because it wrote more to its disk than it may (Usage of EmptyDir volume "tmp" exceeds the limit "64Mi")',
  ],
])("the reason of %s is known", (_, pod, code, reason) => {
  expect(findEnd(pod, MEMORY)).toMatchObject({ code, reason });
});

test("a Pod whose node gets 200 from it is ready", () => {
  const conditions = [{ type: "Ready", status: "True" }];
  expect(isReady(container({ running: {} }, { conditions }))).toBe(true);
  expect(isReady(container({ running: {} }, { conditions: [{ type: "Ready", status: "False" }] }))).toBe(
    false,
  );
  expect(isReady(container({ running: {} }))).toBe(false);
});

// Guarantee: whoever runs apps in a cluster is never told to start an engine.
test("no reason that this runtime gives names a container engine", () => {
  const ownCode = readdirSync(import.meta.dirname)
    .filter((file) => !file.endsWith(".test.ts"))
    .concat("../../../domain/runtime/health.ts")
    .map((file) => readFileSync(path.join(import.meta.dirname, file), "utf8"))
    .join("\n");
  const given = REASON_CODES.filter((code) => ownCode.includes(`"${code}"`)).concat(
    "EXITED",
    "STATE_API_MOVED",
  );
  expect(given.length).toBeGreaterThan(12);
  for (const code of given) {
    const { meaning, nextStep } = INSTANCE_REASONS[code];
    expect(`${meaning} ${nextStep}`, code).not.toMatch(/\bengine|docker/i);
  }
});

test("a Pod that is deleted or about to be evicted leaves", () => {
  expect(isLeaving(container({ running: {} }))).toBe(false);
  expect(isLeaving(container({ running: {} }, {}, { deletionTimestamp: "2026-11-28T05:00:15Z" }))).toBe(true);
  const conditions = [{ type: "DisruptionTarget", status: "True", reason: "DeletionByTaintManager" }];
  expect(isLeaving(container({ running: {} }, { conditions }))).toBe(true);
});

// Guarantee: only what a publisher can fix is blamed on the app.
test.each([
  ["no such digest", 'failed to resolve reference "r/a@sha256:1": r/a@sha256:1: not found', "IMAGE_MISSING"],
  [
    "a missing secret",
    "pull access denied, repository does not exist or may require authorization",
    "PULL_REFUSED",
  ],
  ["a wrong secret", "failed to authorize: unexpected status: 401 Unauthorized", "PULL_REFUSED"],
  [
    "bytes of another digest",
    'failed commit on ref "layer-sha256:401": unexpected commit digest sha256:403, expected sha256:401: failed precondition',
    "IMAGE_MISSING",
  ],
  ["bytes of another size", "failed size validation: 12 != 11: failed precondition", "IMAGE_MISSING"],
  ["a registry that is away", "dial tcp 127.0.0.1:5000: connect: connection refused", "STORE_UNREACHABLE"],
])("a pull that fails because of %s says so", (_, message, code) => {
  expect(explainPull(message).code).toBe(code);
  const waiting = { waiting: { reason: "ErrImagePull", message } };
  expect(readStart(container(waiting))).toMatchObject({ kind: "failed", pulling: true, code });
});

test("a Pod without a node waits for room", () => {
  const message = "0/2 nodes are available: 2 Insufficient memory.";
  const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }];
  expect(readStart(given({ phase: "Pending", conditions }))).toMatchObject({
    kind: "no-room",
    code: "NO_ROOM",
    detail: expect.stringContaining("Insufficient memory"),
  });
  expect(readStart(container({ waiting: { reason: "ContainerCreating" } }))).toEqual({ kind: "waiting" });
});

const guarded = (state: object, rest: object = {}) =>
  container(
    { waiting: { reason: "PodInitializing" } },
    { initContainerStatuses: [{ name: "network", state }], ...rest },
  );

test("an app waits as long as its guard works, whether it waits, runs or has ended well", () => {
  const states = [
    { waiting: { reason: "PodInitializing" } },
    { running: {} },
    terminated({ exitCode: 0, reason: "Completed" }),
  ];
  for (const state of states) expect(readStart(guarded(state))).toEqual({ kind: "waiting" });
});

// Guarantee: a network without policies starts no app, and neither that nor a missing guard looks like a fault of the app.
test.each([
  [
    "an open network",
    guarded(terminated({ exitCode: 1 }), { phase: "Failed" }),
    /does not enforce network policies/,
  ],
  [
    "an image that is away",
    guarded({ waiting: { reason: "ErrImagePull", message: "401" } }),
    /\(ErrImagePull 401\)/,
  ],
  ["an image without Node", guarded(terminated({ exitCode: 128, reason: "StartError" })), /\(StartError\)/],
])("a guard with %s is the cluster's fault", (_, pod, detail) => {
  expect(readStart(pod)).toMatchObject({
    kind: "failed",
    code: "CLUSTER_FAILED",
    detail: expect.stringMatching(detail),
  });
});

test("an app that no egress guard knows says so, and isn't at fault", () => {
  const initContainerStatuses = [
    { name: "network", state: { terminated: { exitCode: 2, reason: "Error" } } },
  ];
  expect(readStart(given({ phase: "Failed", initContainerStatuses }))).toMatchObject({
    ...{ kind: "failed", code: "NETWORK_FAILED" },
    detail: expect.stringContaining("guard's Pods are ready"),
  });
});
