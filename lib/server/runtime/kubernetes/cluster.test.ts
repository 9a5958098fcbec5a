/** What only a cluster does. In a real one: see docs/kubernetes.md. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { findClusterFailure, type KubernetesFixture, kubernetesFixture } from "@/tests/kubernetes-fixture";
import { CONTAINER_SCRIPTS, untilHealthy } from "@/tests/runtime-fixtures";
import { findBusybox } from "@/tests/test-image";
import { DEFAULT_APP_LIMITS } from "../../platform/environment";

const busybox = await findBusybox();
const skipReason = (await findClusterFailure()) ?? (busybox === undefined ? "no static busybox" : undefined);
const GIBIBYTE = 1024 ** 3;
/** Serves, and on SIGTERM ends at once, as many apps do. */
const ENDS_ON_SIGTERM = `trap 'exit 0' TERM; ${CONTAINER_SCRIPTS.serving.replace("exec ", "")} & wait`;

describe.skipIf(skipReason !== undefined)(
  `kubernetes${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  { timeout: 240_000 },
  () => {
    let folder: string;
    let fixture: KubernetesFixture;
    const pods = () => `/api/v1/namespaces/${fixture.namespace}/pods`;
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "platform-cluster-"));
      fixture = await kubernetesFixture(folder, busybox ?? "");
    });
    afterAll(async () => {
      await fixture.clean();
      await rm(folder, { recursive: true });
    });
    afterEach(async () => {
      const { runtime } = fixture;
      await Promise.all((await runtime.list()).map(({ handle }) => runtime.stop(handle, 0)));
    });

    // Guarantee: a drain of a node loses no call: the platform learns of it before the app stops to serve.
    test("a Pod that is evicted is reported while it serves, and its end is nobody's fault", async () => {
      const { runtime, admin, order } = fixture;
      const reports: string[] = [];
      const watch = runtime.watchChanges((handle) => reports.push(handle));
      await watch.connected;
      const { handle, origin } = await runtime.start(await order(ENDS_ON_SIGTERM));
      await untilHealthy(fixture, origin);
      const [name = ""] = handle.split("/");
      const startedAt = performance.now();
      await evict(name);
      await expect.poll(() => reports).toEqual([handle]);
      expect(performance.now() - startedAt).toBeLessThan(2_000);
      const leaving = expect.stringContaining("node is being drained");
      expect(await runtime.inspect(handle)).toMatchObject({ running: true, origin, leaving });
      await sleep(3_000 - (performance.now() - startedAt));
      expect(await fixture.reach(origin, "/health")).toBe(200);
      await expect.poll(() => reports).toEqual([handle, handle]);
      expect((await runtime.inspect(handle)).running).toBe(false);
      watch.stop();

      /** Again while the budget doesn't know the Pod yet. */
      async function evict(pod: string): Promise<void> {
        const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod } };
        await expect
          .poll(() =>
            admin.send({ method: "POST", path: `${pods()}/${pod}/eviction`, body }).then(
              () => "evicted",
              (error: unknown) => String(error),
            ),
          )
          .toBe("evicted");
      }
    });

    test("of two replicas, one may leave, and the other not before there is a successor", async () => {
      const { runtime, admin, serving } = fixture;
      const first = await runtime.start(serving);
      const second = await runtime.start({ ...serving, replica: 1 });
      for (const { origin } of [first, second]) await untilHealthy(fixture, origin);
      const evict = async ({ handle }: { handle: string }) => {
        const [name] = handle.split("/");
        const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } };
        return admin.send({ method: "POST", path: `${pods()}/${name}/eviction`, body }).then(
          () => "evicted",
          (error: unknown) => String(error),
        );
      };
      await expect.poll(() => evict(first)).toBe("evicted");
      expect(await evict(second)).toContain("disruption budget");
      await runtime.stop(first.handle, 0);
      // The budget follows: the drain of a node is not blocked for good.
      await expect.poll(() => evict(second)).toBe("evicted");
    });

    test.each<[string, string, RegExp, () => Promise<unknown>]>([
      [
        "a digest that the registry doesn't have",
        "IMAGE_MISSING",
        /doesn't have the image/,
        () => {
          const { runtime, serving } = fixture;
          const imageReference = serving.imageReference?.replace(/[0-9a-f]{64}$/, "0".repeat(64)) ?? null;
          return runtime.start({ ...serving, imageReference });
        },
      ],
      [
        "a missing pull secret",
        "PULL_REFUSED",
        /PLATFORM_KUBERNETES_PULL_SECRET/,
        () => fixture.another({ pullSecret: "absent" }).runtime.start(fixture.missing),
      ],
      [
        "a registry that is away",
        "STORE_UNREACHABLE",
        /PLATFORM_REGISTRY_URL/,
        () =>
          fixture.runtime.start({
            ...fixture.serving,
            imageReference: `127.0.0.1:9/a/b@sha256:${"1".repeat(64)}`,
          }),
      ],
      [
        "no node with so much memory",
        "NO_ROOM",
        /Insufficient memory/,
        () => {
          const limits = { ...DEFAULT_APP_LIMITS, memoryBytes: 4_096 * GIBIBYTE };
          return fixture.another({ limits, roomMs: 3_000 }).runtime.start(fixture.serving);
        },
      ],
      [
        "a quota",
        "CLUSTER_QUOTA",
        /exceeded quota/,
        async () => {
          const { admin, namespace, runtime, serving } = fixture;
          const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
          const quota = {
            apiVersion: "v1",
            kind: "ResourceQuota",
            metadata: { name: "none" },
            spec: { hard: { pods: "0" } },
          };
          await admin.apply(quotas, quota);
          await sleep(1_000);
          try {
            await runtime.start(serving);
          } finally {
            await admin.send({ method: "DELETE", path: `${quotas}/none` });
          }
        },
      ],
      [
        "a namespace that the worker may not use",
        "CLUSTER_FAILED",
        /docs\/kubernetes\.md/,
        () => fixture.another({ namespace: "kube-system" }).runtime.start(fixture.serving),
      ],
    ])("the reason of %s is %s", async (_, reasonCode, detail, start) => {
      await expect(start()).rejects.toMatchObject({ reasonCode, detail: expect.stringMatching(detail) });
      await expect.poll(() => fixture.runtime.list()).toEqual([]);
    });

    test("a command that is not in the image, and too much memory, are the app's fault", async () => {
      const { order, another } = fixture;
      const limits = { ...DEFAULT_APP_LIMITS, memoryBytes: 64 * 1024 * 1024 };
      const { runtime } = another({ limits });
      const greedy = await order("exec /bin/busybox tail /dev/zero");
      const { handle } = await runtime.start(greedy);
      await expect
        .poll(() => runtime.inspect(handle))
        .toMatchObject({
          running: false,
          code: "OOM_KILLED",
          reason: "was killed by the kernel because it used more than 64 MiB of memory",
        });
    });

    // Guarantee: however many workers start it, a replica runs once.
    test("two workers that start the same replica end with one Pod", async () => {
      const { runtime, serving, another } = fixture;
      const other = another().runtime;
      await Promise.allSettled([runtime.start(serving), other.start(serving)]);
      expect(await runtime.list()).toHaveLength(1);
    });

    // Guarantee: what belongs to another platform in the namespace is neither seen nor removed.
    test("another platform in the same namespace sees nothing", async () => {
      const { runtime, serving, another } = fixture;
      const { handle } = await runtime.start(serving);
      const stranger = another({ readOwner: async () => "another-platform" }).runtime;
      expect(await stranger.list()).toEqual([]);
      expect(await stranger.listNetworks?.()).toEqual([]);
      expect(await stranger.inspect(handle)).toMatchObject({ running: false });
      expect(await runtime.list()).toHaveLength(1);
    });

    test("what a version's Pods shared is unused after the last of them, and is removed", async () => {
      const { runtime, admin, namespace, serving } = fixture;
      const unused = async () =>
        (await runtime.listNetworks?.())?.filter(({ versionId }) => versionId === serving.versionId);
      const { handle } = await runtime.start(serving);
      expect(await unused()).toEqual([]);
      await runtime.stop(handle, 0);
      const [before] = (await unused()) ?? [];
      // A start between the list and the removal keeps what it needs.
      const again = await runtime.start(serving);
      await runtime.removeNetwork?.(before?.handle ?? "");
      await untilHealthy(fixture, again.origin);
      await runtime.stop(again.handle, 0);
      for (const { handle } of (await unused()) ?? []) await runtime.removeNetwork?.(handle);
      const names = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });
      const policies = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
      await expect
        .poll(async () =>
          names.parse(await admin.send({ path: policies })).items.map(({ metadata }) => metadata.name),
        )
        .not.toContain(`app-${serving.versionId}`);
    });

    // Guarantee: nobody opens or closes an app for good by hand.
    test("what somebody edits or deletes is put back", async () => {
      const { runtime, admin, namespace, serving } = fixture;
      const { origin } = await runtime.start(serving);
      await untilHealthy(fixture, origin);
      const name = `app-${serving.versionId}`;
      const policies = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
      const budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
      const services = `/api/v1/namespaces/${namespace}/services`;
      const read = async (path: string) =>
        z.looseObject({ spec: z.unknown() }).parse(await admin.send({ path: `${path}/${name}` })).spec;
      const paths = [policies, budgets, services];
      const before = await Promise.all(paths.map(read));
      const edit = (path: string, spec: object) =>
        admin.send({
          ...{ method: "PATCH", path: `${path}/${name}`, contentType: "application/merge-patch+json" },
          body: { spec },
        });
      await edit(policies, { ingress: [{}], egress: [{}] });
      await edit(budgets, { minAvailable: 5 });
      await edit(services, { selector: { "platform.version": "another" } });
      await runtime.putBack?.();
      expect(await Promise.all(paths.map(read))).toEqual(before);
      for (const path of [policies, budgets]) await admin.send({ method: "DELETE", path: `${path}/${name}` });
      await runtime.putBack?.();
      expect(await Promise.all(paths.map(read))).toEqual(before);
      expect(await runtime.list()).toHaveLength(1);
    });

    // Guarantee: a Pod that somebody's finalizer keeps doesn't keep its replica from running.
    test("a replica starts although its Pod from before can't be removed", async () => {
      const { runtime, admin, serving } = fixture;
      const { handle } = await runtime.start(serving);
      const [name = ""] = handle.split("/");
      const setFinalizers = (finalizers: string[]) =>
        admin.send({
          ...{ method: "PATCH", path: `${pods()}/${name}`, contentType: "application/merge-patch+json" },
          body: { metadata: { finalizers } },
        });
      await setFinalizers(["example.com/backup"]);
      try {
        const again = await runtime.start(serving);
        expect(again.handle).toMatch(new RegExp(`^${name}-[0-9a-f]{8}/`));
        await untilHealthy(fixture, again.origin);
        await runtime.stop(again.handle, 0);
      } finally {
        await setFinalizers([]);
      }
      await expect.poll(() => runtime.list()).toEqual([]);
    });

    // Guarantee: one app doesn't reach another, nor the API server, whatever the cluster's default is.
    test("an app reaches no other app", async () => {
      const { runtime, serving, order, admin } = fixture;
      const neighbor = await runtime.start(serving);
      await untilHealthy(fixture, neighbor.origin);
      const { hostname } = new URL(neighbor.origin);
      const { handle } = await runtime.start(
        await order(
          `while :; do /bin/busybox nc -w 2 ${hostname} 8080 </dev/null 2>/dev/null && echo open || echo closed; /bin/busybox sleep 1; done`,
        ),
      );
      await sleep(5_000);
      expect((await runtime.logTail(handle, 100)).trim().split("\n").at(-1)).toBe("closed");
      expect(await admin.send({ path: "/version" })).toBeDefined();
    });

    test("the runtime says what is wrong with its account", async () => {
      expect(await fixture.findFailure()).toBeUndefined();
      expect(await fixture.another({ namespace: "default" }).findFailure()).toMatchObject({
        reasonCode: "CLUSTER_FAILED",
      });
    });
  },
);
