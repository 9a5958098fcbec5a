/**
 * What a version becomes in a cluster: for each replica a Pod, and for all of them a headless Service, which owns everything else, a
 * NetworkPolicy and a PodDisruptionBudget. Pure: nothing here asks the cluster.
 */
import { KEY_HEADER } from "@/lib/contract/platform/text";
import {
  CONTAINER_PORT,
  CONTAINER_TMPFS,
  CONTAINER_USER,
  SHARED_MEMORY_MIB,
} from "@/lib/domain/platform/app-limits";
import type { Peer } from "@/lib/domain/platform/network-peers";
import { HEALTH_DEADLINE_MS } from "@/lib/domain/runtime/health";
import type { AppLimits } from "../../platform/environment";
import type { StartOrder } from "../engines/runtime";

export const OWNER_LABEL = "platform.instance-of";
export const VERSION_LABEL = "platform.version";
const REPLICA_LABEL = "platform.replica";
const ORGANIZATION_LABEL = "platform.organization";
const START_ANNOTATION = "platform.start";

/** The container's name in each Pod. */
export const CONTAINER = "app";

/** The container that runs before it. */
export const GUARD = "network";

/**
 * Some networks enforce the rules of a new Pod only a moment after its start: until then, it would reach the API server and the nodes. So the
 * app starts when the API server is closed twice in a row. Ends with 1 if it stays open: then nothing enforces the rules.
 */
const GUARD_SCRIPT = `
const { connect } = require("node:net");
const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
const giveUpAt = Date.now() + 15000;
let closed = 0;
const look = () => {
  const socket = connect({ host, port: Number(port) });
  const end = (isOpen) => {
    socket.destroy();
    closed = isOpen ? 0 : closed + 1;
    if (closed === 2) process.exit(0);
    if (Date.now() > giveUpAt) process.exit(1);
    setTimeout(look, 50);
  };
  socket.setTimeout(1000);
  socket.once("connect", () => end(true)).once("timeout", () => end(false)).once("error", () => end(false));
};
look();
`;

/**
 * A Pod that the cluster removes, as for a node that is drained, serves so long before it gets SIGTERM. The cluster evicts the next one as soon
 * as a successor passes its probe; the platform calls the successor after a check of its own. On a busy cluster, 5 seconds were too short.
 */
export const NOTICE_SECONDS = 10;
const EVICTION_GRACE_SECONDS = 10;

/** How long a node may be away before its Pods are replaced. By default, it would be 5 minutes. */
const LOST_NODE_SECONDS = 10;

/** The part of its CPU that an app is sure to have; the rest is there if no other app needs it. */
const CPU_RESERVED = 0.1;

/** Logs, and volumes that the image declares. */
const DISK_MIB = 256;

export interface AppOptions {
  /** Labels everything that the platform owns in the namespace. */
  owner: string;
  namespace: string;
  limits: AppLimits;
  /** Comma-separated names of secrets with the credentials of registries. Empty: none. */
  pullSecret: string;
  /** An image with Node, which waits in each Pod until its network policies are enforced. Empty: nothing waits. */
  guardImage: string;
  /** Gateway and worker. */
  callers: readonly Peer[];
  /** The state API, and more that apps may reach besides public addresses. */
  reachable: readonly Peer[];
}

/** Cluster DNS, as kubeadm and the managed clusters label it. */
const NAME_SERVER: Peer = {
  to: { namespace: "kube-system", label: { name: "k8s-app", value: "kube-dns" } },
  port: 53,
};

/** Private networks, this machine, and link-local addresses, which serve credentials of cloud machines. */
const NOT_PUBLIC = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

export function nameVersion(versionId: string): string {
  return `app-${versionId}`;
}

export function namePod({ versionId, replica }: Pick<StartOrder, "versionId" | "replica">): string {
  return `${nameVersion(versionId)}-${replica}`;
}

const LABEL_LENGTH = 63;

type Version = Pick<StartOrder, "versionId" | "organizationId" | "appName">;

function describe(
  { namespace, owner }: AppOptions,
  { versionId, organizationId, appName }: Version,
  name: string,
) {
  return {
    name,
    namespace,
    labels: {
      // Labels are shorter than names of apps may be.
      "app.kubernetes.io/name": appName.slice(0, LABEL_LENGTH).replace(/[^a-z0-9]+$/i, ""),
      "app.kubernetes.io/managed-by": "app-hosting-platform",
      [OWNER_LABEL]: owner,
      [VERSION_LABEL]: versionId,
      [ORGANIZATION_LABEL]: organizationId,
    },
  };
}

function select({ owner }: AppOptions, { versionId }: Version) {
  return { [OWNER_LABEL]: owner, [VERSION_LABEL]: versionId };
}

/** @param startId changes the Service with each start, so that it is not removed as unused meanwhile */
export function createService(options: AppOptions, version: Version, startId: string) {
  const metadata = describe(options, version, nameVersion(version.versionId));
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...metadata, annotations: { [START_ANNOTATION]: startId } },
    spec: {
      clusterIP: "None",
      selector: select(options, version),
      ports: [{ name: "http", port: CONTAINER_PORT, targetPort: CONTAINER_PORT, protocol: "TCP" }],
    },
  };
}

/** The cluster removes what a Service owns together with it. */
function ownedBy(version: Version, uid: string) {
  const name = nameVersion(version.versionId);
  return [{ apiVersion: "v1", kind: "Service", name, uid, controller: true, blockOwnerDeletion: false }];
}

export function createPolicy(options: AppOptions, version: Version, serviceUid: string) {
  const metadata = describe(options, version, nameVersion(version.versionId));
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { ...metadata, ownerReferences: ownedBy(version, serviceUid) },
    spec: {
      podSelector: { matchLabels: select(options, version) },
      policyTypes: ["Ingress", "Egress"],
      ingress: options.callers.map(({ to }) => ({
        from: [toSelector(to)],
        ports: [{ protocol: "TCP", port: CONTAINER_PORT }],
      })),
      egress: [
        ...options.reachable.map((peer) => toEgress(peer, ["TCP"])),
        toEgress(NAME_SERVER, ["UDP", "TCP"]),
        { to: [{ ipBlock: { cidr: "0.0.0.0/0", except: NOT_PUBLIC } }] },
      ],
    },
  };
}

function toSelector(to: Peer["to"]) {
  if ("cidr" in to) return { ipBlock: { cidr: to.cidr } };
  return {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": to.namespace } },
    podSelector: { matchLabels: { [to.label.name]: to.label.value } },
  };
}

function toEgress({ to, port }: Peer, protocols: readonly ("TCP" | "UDP")[]) {
  const ports = port === undefined ? {} : { ports: protocols.map((protocol) => ({ protocol, port })) };
  return { to: [toSelector(to)], ...ports };
}

/** @param replicas how many of the version run. One of them may leave at a time: the platform starts its successor. */
export function createBudget(options: AppOptions, version: Version, serviceUid: string, replicas: number) {
  const metadata = describe(options, version, nameVersion(version.versionId));
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { ...metadata, ownerReferences: ownedBy(version, serviceUid) },
    spec: {
      // Pods of a Service have no number that a budget could read, so `maxUnavailable` does not work for them.
      minAvailable: Math.max(0, replicas - 1),
      selector: { matchLabels: select(options, version) },
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}

/** Every request carries a key (contract, 4.1). A probe serves no customer, so this one opens nothing. */
const PROBE_KEY = `psk_${"A".repeat(86)}`;

const MEBIBYTE = 1024 * 1024;
const [USER = 0, GROUP = 0] = CONTAINER_USER.split(":").map(Number);

const RESTRICTED = {
  allowPrivilegeEscalation: false,
  privileged: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

function createGuard(image: string) {
  return {
    name: GUARD,
    image,
    imagePullPolicy: "IfNotPresent",
    command: ["node", "--eval", GUARD_SCRIPT],
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "1000m", memory: "128Mi" } },
    securityContext: RESTRICTED,
  };
}

export function createPod(
  options: AppOptions,
  order: StartOrder & { imageReference: string },
  serviceUid: string,
) {
  const { limits, guardImage } = options;
  const pullSecrets = options.pullSecret.split(",").filter((name) => name !== "");
  const metadata = describe(options, order, namePod(order));
  const cpu = `${Math.round(limits.cpus * 1_000)}m`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [REPLICA_LABEL]: String(order.replica) },
      ownerReferences: ownedBy(order, serviceUid),
    },
    spec: {
      // The platform decides about restarts, pauses and parking.
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // The Pod's own first process passes signals on, and reaps processes that lost their parent.
      shareProcessNamespace: true,
      terminationGracePeriodSeconds: NOTICE_SECONDS + EVICTION_GRACE_SECONDS,
      ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets.map((name) => ({ name })) }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: GROUP,
        seccompProfile: { type: "RuntimeDefault" },
      },
      tolerations: ["not-ready", "unreachable"].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: LOST_NODE_SECONDS,
      })),
      topologySpreadConstraints: ["kubernetes.io/hostname", "topology.kubernetes.io/zone"].map(
        (topologyKey) => ({
          maxSkew: 1,
          topologyKey,
          // After a node was lost, the others take its Pods.
          whenUnsatisfiable: "ScheduleAnyway",
          labelSelector: { matchLabels: select(options, order) },
        }),
      ),
      ...(guardImage !== "" && { initContainers: [createGuard(guardImage)] }),
      containers: [
        {
          name: CONTAINER,
          image: order.imageReference,
          imagePullPolicy: "IfNotPresent",
          env: [
            { name: "PLATFORM_PORT", value: String(CONTAINER_PORT) },
            { name: "PLATFORM_STATE_API", value: order.environment.PLATFORM_STATE_API },
            { name: "HOME", value: CONTAINER_TMPFS.path },
          ],
          ports: [{ name: "http", containerPort: CONTAINER_PORT, protocol: "TCP" }],
          resources: {
            limits: { cpu, memory: String(limits.memoryBytes), "ephemeral-storage": `${DISK_MIB}Mi` },
            requests: {
              cpu: `${Math.max(1, Math.round(limits.cpus * 1_000 * CPU_RESERVED))}m`,
              memory: String(limits.memoryBytes),
              "ephemeral-storage": "0",
            },
          },
          securityContext: RESTRICTED,
          readinessProbe: {
            httpGet: {
              path: "/health",
              port: CONTAINER_PORT,
              scheme: "HTTP",
              httpHeaders: [{ name: KEY_HEADER, value: PROBE_KEY }],
            },
            periodSeconds: 3,
            timeoutSeconds: HEALTH_DEADLINE_MS / 1_000,
            failureThreshold: 3,
          },
          lifecycle: { preStop: { sleep: { seconds: NOTICE_SECONDS } } },
          volumeMounts: [
            { name: "tmp", mountPath: CONTAINER_TMPFS.path },
            { name: "shm", mountPath: "/dev/shm" },
          ],
        },
      ],
      volumes: [
        { name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } },
        { name: "shm", emptyDir: { medium: "Memory", sizeLimit: String(SHARED_MEMORY_MIB * MEBIBYTE) } },
      ],
    },
  };
}
