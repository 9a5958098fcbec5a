import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { serveQuestions } from "@/guard/ask-port";
import { createBudget, createPod, createPolicy, createPolicyFromBefore, createService } from "./objects";

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
  stateApi: [{ to: { cidr: "10.9.9.9/32" }, port: 4001 }],
  reachable: [{ to: { cidr: "10.9.9.8/32" }, port: 443 }],
  guards: undefined,
};
const guarded = {
  ...options,
  guardImage: "own/image:1",
  guards: {
    nameServer: "10.96.0.53",
    guards: ["10.244.1.7", "10.244.2.7"],
    pods: [{ to: { namespace: "platform", label: { name: "part", value: "guard" } } }],
  },
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
    // Its first process reaps those that lost their parent, and passes signals on.
    shareProcessNamespace: true,
  });
  expect(container?.env).toContainEqual({ name: "HOME", value: "/tmp" });
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

// Guarantee: with egress guards, an app reaches them and the state API, and nothing else: no name server, no public address.
test("behind the guards, an app has no other way out", () => {
  const { spec, metadata } = createPod(guarded, order, "uid-1");
  expect(metadata.labels).toMatchObject({ "platform.name-server": "10.96.0.53" });
  expect(metadata.annotations).toEqual({ "platform.state-api": "http://gateway.platform:4001" });
  expect(spec).toMatchObject({ dnsPolicy: "None", dnsConfig: { nameservers: ["10.96.0.53"] } });
  expect(spec.containers[0]?.env).toContainEqual({
    ...{ name: "PLATFORM_STATE_API", value: "http://state.platform.internal:4001" },
  });
  const policy = createPolicy(guarded, order, "uid-1").spec;
  expect(policy.egress).toEqual([
    { to: [{ ipBlock: { cidr: "10.9.9.9/32" } }], ports: [{ protocol: "TCP", port: 4001 }] },
    {
      to: [
        {
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "platform" } },
          podSelector: { matchLabels: { part: "guard" } },
        },
      ],
    },
  ]);
  expect(policy.ingress).toEqual(createPolicy(options, order, "uid-1").spec.ingress);
});

// Guarantee: Pods from before the guards lose nothing until they are replaced, and Pods behind them gain nothing from their policy.
test("each Pod of a version has the policy of its own time", () => {
  const selectors = [
    createPolicy(guarded, order, "uid-1"),
    createPolicyFromBefore(guarded, order, "uid-1"),
  ].map(({ metadata: { name }, spec: { podSelector, egress } }) => ({
    name,
    podSelector,
    count: egress.length,
  }));
  const matchLabels = { "platform.instance-of": "platform-1", "platform.version": versionId };
  const key = "platform.name-server";
  expect(selectors).toEqual([
    {
      name: `app-${versionId}`,
      podSelector: { matchLabels, matchExpressions: [{ key, operator: "Exists" }] },
      count: 2,
    },
    {
      name: `app-${versionId}-before`,
      podSelector: { matchLabels, matchExpressions: [{ key, operator: "DoesNotExist" }] },
      count: 4,
    },
  ]);
  expect(createPolicy(options, order, "uid-1").spec.podSelector).toEqual({ matchLabels });
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

/** The port is everywhere the same, so each guard has an address. */
const GUARDS = ["127.70.0.3", "127.70.0.4"];
const UID = "uid-of-the-pod";

// Guarantee: an app starts when no guard that it may be led to has the rules of another Pod, or none.
test.skipIf(process.platform !== "linux")(
  "the first container waits until all guards that respond know the Pod",
  async () => {
    const place = { ...guarded.guards, guards: [...GUARDS, "127.70.0.99"] };
    const { spec } = createPod({ ...guarded, guards: place }, order, "uid-1");
    const [first] = spec.initContainers ?? [];
    expect(first?.env?.map(({ name }) => name)).toEqual(["GUARDS", "POD_UID"]);
    const known = new Set<string>();
    const servers = await Promise.all(
      GUARDS.map((address) =>
        serveQuestions({ address, isReady: () => true, knows: (uid) => uid === UID && known.has(address) }),
      ),
    );
    const [, option = "", script = ""] = first?.command ?? [];
    const env = {
      NODE_ENV: "test" as const,
      KUBERNETES_SERVICE_HOST: "127.0.0.1",
      KUBERNETES_SERVICE_PORT: "9",
      GUARDS: place.guards.join(","),
      POD_UID: UID,
    };
    const run = (text: string) => {
      const child = spawn(process.execPath, [option, text], { env, stdio: "inherit" });
      return once(child, "exit").then(([code]): unknown => code);
    };
    try {
      expect(await run(script.replace("60000", "300"))).toBe(2);
      known.add(GUARDS[0] ?? "");
      expect(await run(script.replace("60000", "300"))).toBe(2);
      const code = run(script);
      known.add(GUARDS[1] ?? "");
      expect(await code).toBe(0);
    } finally {
      servers.forEach((server) => server.close());
    }
    expect(await run(script.replace("60000", "300"))).toBe(2);
  },
  60_000,
);
