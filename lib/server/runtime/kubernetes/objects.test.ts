import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { createBudget, createPod, createPolicy, createService } from "./objects";

const MEBIBYTE = 1024 * 1024;
const versionId = "01993a5e-7c1c-7aaa-8bbb-0123456789ab";
const order = {
  bundleKind: "image" as const,
  versionId,
  replica: 2,
  organizationId: "01993a5e-7c1c-7aaa-8bbb-ffffffffffff",
  appName: "vin-autofill",
  imageDigest: "sha256:0",
  openArchive: () => Promise.reject(new Error("nodes pull images")),
  imageReference: "registry.example/apps@sha256:1",
  environment: { PLATFORM_STATE_API: "http://gateway.platform:4001" },
};
const options = {
  owner: "platform-1",
  namespace: "apps",
  limits: { memoryBytes: 512 * MEBIBYTE, cpus: 1, processes: 256 },
  pullSecret: "registry",
  guardImage: "",
  callers: [{ to: { namespace: "platform", label: { name: "part", value: "gateway" } } }],
  reachable: [{ to: { cidr: "10.9.9.9/32" }, port: 4001 }],
};

// Guarantee: an app gets nothing that the profile `restricted` refuses, no account, and no more than its limits.
test("a Pod is restricted, limited, pulled by digest, and called by nobody's account", () => {
  const { spec, metadata } = createPod(options, order, "uid-1");
  const [container] = spec.containers;
  expect(spec).toMatchObject({
    restartPolicy: "Never",
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    imagePullSecrets: [{ name: "registry" }],
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: "RuntimeDefault" } },
    terminationGracePeriodSeconds: 20,
  });
  expect(container).toMatchObject({
    image: "registry.example/apps@sha256:1",
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    resources: {
      limits: { cpu: "1000m", memory: String(512 * MEBIBYTE) },
      requests: { cpu: "100m", memory: String(512 * MEBIBYTE) },
    },
    lifecycle: { preStop: { sleep: { seconds: 10 } } },
    readinessProbe: { httpGet: { path: "/health", httpHeaders: [{ name: "x-PLATFORM-key" }] } },
  });
  expect(container?.env).toContainEqual({
    name: "PLATFORM_STATE_API",
    value: "http://gateway.platform:4001",
  });
  expect(metadata.ownerReferences).toEqual([
    {
      apiVersion: "v1",
      kind: "Service",
      name: `app-${versionId}`,
      uid: "uid-1",
      controller: true,
      blockOwnerDeletion: false,
    },
  ]);
  expect(spec.topologySpreadConstraints.map(({ whenUnsatisfiable }) => whenUnsatisfiable)).toEqual([
    "ScheduleAnyway",
    "ScheduleAnyway",
  ]);
  expect(spec.tolerations.map(({ tolerationSeconds }) => tolerationSeconds)).toEqual([10, 10]);
});

test("without a pull secret, none is named", () => {
  expect(createPod({ ...options, pullSecret: "" }, order, "uid-1").spec).not.toHaveProperty(
    "imagePullSecrets",
  );
});

// Guarantee: names are accepted by every cluster, whatever an app is called, and are one replica's alone.
test("names come from the version and the replica", () => {
  const pod = createPod(options, { ...order, appName: "x".repeat(64) }, "uid-1");
  expect(pod.metadata.name).toBe(`app-${versionId}-2`);
  expect(pod.metadata.name.length).toBeLessThan(64);
  expect(pod.metadata.labels["app.kubernetes.io/name"]).toHaveLength(63);
  expect(createService(options, order, "start-1").metadata.name).toBe(`app-${versionId}`);
});

// Guarantee: nothing but gateway and worker reaches an app, and it reaches no private network.
test("a policy closes what is not named, in both directions", () => {
  const { spec } = createPolicy(options, order, "uid-1");
  expect(spec.policyTypes).toEqual(["Ingress", "Egress"]);
  expect(spec.ingress).toEqual([
    {
      from: [
        {
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "platform" } },
          podSelector: { matchLabels: { part: "gateway" } },
        },
      ],
      ports: [{ protocol: "TCP", port: 8080 }],
    },
  ]);
  expect(spec.egress[0]).toEqual({
    to: [{ ipBlock: { cidr: "10.9.9.9/32" } }],
    ports: [{ protocol: "TCP", port: 4001 }],
  });
  expect(JSON.stringify(spec.egress.at(-1))).toContain("169.254.0.0/16");
  expect(createPolicy({ ...options, callers: [] }, order, "uid-1").spec.ingress).toEqual([]);
});

// Guarantee: the drain of a node is never blocked for good, and takes one replica at a time.
test.each([
  [1, 0],
  [2, 1],
  [5, 4],
])("of %i replicas, %i must stay", (replicas, stay) => {
  expect(createBudget(options, order, "uid-1", replicas).spec).toMatchObject({
    minAvailable: stay,
    unhealthyPodEvictionPolicy: "AlwaysAllow",
  });
});

// Guarantee: where the network enforces the rules of a new Pod only after a moment, the app starts after that moment.
test("a guard waits before the app, with no more rights than the app", () => {
  expect(createPod(options, order, "uid-1").spec.initContainers).toBeUndefined();
  const guarded = createPod(
    { ...options, pullSecret: "registry,own", guardImage: "own/image:1" },
    order,
    "uid-1",
  );
  const [guard] = guarded.spec.initContainers ?? [];
  expect(guard).toMatchObject({
    image: "own/image:1",
    securityContext: guarded.spec.containers[0]?.securityContext,
  });
  expect(guarded.spec.imagePullSecrets).toEqual([{ name: "registry" }, { name: "own" }]);
});

test.each([
  ["closed", "127.0.0.1", 0],
  ["open", "127.0.0.1", 1],
])(
  "the guard of a network whose API server is %s ends with %s, %i",
  async (state, host, expected) => {
    const { spec } = createPod({ ...options, guardImage: "own/image:1" }, order, "uid-1");
    const [, option = "", script = ""] = spec.initContainers?.[0]?.command ?? [];
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    if (state === "closed") server.close();
    const env = {
      NODE_ENV: "test" as const,
      KUBERNETES_SERVICE_HOST: host,
      KUBERNETES_SERVICE_PORT: String(port),
    };
    const [code] = await once(
      spawn(process.execPath, [option, script.replace("15000", "300")], { env, stdio: "inherit" }),
      "exit",
    );
    server.close();
    expect(code).toBe(expected);
  },
  40_000,
);
