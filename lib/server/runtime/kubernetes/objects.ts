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
import { nameStateApi } from "@/lib/domain/platform/guarded-app";
import type { Peer } from "@/lib/domain/platform/network-peers";
import { HEALTH_DEADLINE_MS } from "@/lib/domain/runtime/health";
import type { AppLimits } from "../../platform/environment";
import type { StartOrder } from "../engines/runtime";
import { createFirstContainer } from "./first-container";

export const OWNER_LABEL = "platform.instance-of";
export const VERSION_LABEL = "platform.version";
const REPLICA_LABEL = "platform.replica";
const ORGANIZATION_LABEL = "platform.organization";
const NAME_LABEL = "app.kubernetes.io/name";
export const START_ANNOTATION = "platform.start";
/** The address at which the Pod asks the egress guards for names. Pods without it have the cluster's network. */
export const GUARDED_LABEL = "platform.name-server";
/** The origin to which the name that it gets for the state API leads. */
export const STATE_API_ANNOTATION = "platform.state-api";

/** The container's name in each Pod. */
export const CONTAINER = "app";

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
  stateApi: readonly Peer[];
  /** What apps may reach besides the state API and public addresses, without egress guards. */
  reachable: readonly Peer[];
  /** Undefined if apps have the cluster's network. */
  guards: GuardPlace | undefined;
}

/** Where a Pod finds the egress guards. */
export interface GuardPlace {
  nameServer: string;
  /** Addresses. */
  guards: readonly string[];
  /** Their Pods, as policies name them. */
  pods: readonly Peer[];
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

export type Version = Pick<StartOrder, "versionId" | "organizationId" | "appName">;

type Owned = Pick<AppOptions, "namespace" | "owner">;

function describe(
  { namespace, owner }: Owned,
  { versionId, organizationId, appName }: Version,
  name: string,
) {
  return {
    name,
    namespace,
    labels: {
      // Labels are shorter than names of apps may be.
      [NAME_LABEL]: appName.slice(0, LABEL_LENGTH).replace(/[^a-z0-9]+$/i, ""),
      "app.kubernetes.io/managed-by": "app-hosting-platform",
      [OWNER_LABEL]: owner,
      [VERSION_LABEL]: versionId,
      [ORGANIZATION_LABEL]: organizationId,
    },
  };
}

/** The version of an object with these labels. */
export function readVersion(labels: Record<string, string>): Version {
  return {
    versionId: labels[VERSION_LABEL] ?? "",
    organizationId: labels[ORGANIZATION_LABEL] ?? "",
    appName: labels[NAME_LABEL] ?? "",
  };
}

function select({ owner }: Owned, { versionId }: Version) {
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

/** What the version's Pods reach, and what reaches them. With egress guards, only of those that have them. */
export function createPolicy(options: AppOptions, version: Version, serviceUid: string) {
  const { guards } = options;
  const egress = guards === undefined ? listOpen(options) : listGuarded(options, guards);
  return describePolicy(options, version, serviceUid, {
    name: nameVersion(version.versionId),
    which: guards === undefined ? [] : [{ key: GUARDED_LABEL, operator: "Exists" }],
    egress,
  });
}

/** Of the version's Pods from before the egress guards, until they are replaced. */
export function createPolicyFromBefore(options: AppOptions, version: Version, serviceUid: string) {
  return describePolicy(options, version, serviceUid, {
    name: `${nameVersion(version.versionId)}-before`,
    which: [{ key: GUARDED_LABEL, operator: "DoesNotExist" }],
    egress: listOpen(options),
  });
}

interface Described {
  name: string;
  which: { key: string; operator: "Exists" | "DoesNotExist" }[];
  egress: object[];
}

function describePolicy(
  options: AppOptions,
  version: Version,
  serviceUid: string,
  { name, which, egress }: Described,
) {
  const podSelector = {
    matchLabels: select(options, version),
    ...(which.length > 0 && { matchExpressions: which }),
  };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { ...describe(options, version, name), ownerReferences: ownedBy(version, serviceUid) },
    spec: {
      podSelector,
      policyTypes: ["Ingress", "Egress"],
      ingress: options.callers.map(({ to }) => ({
        from: [toSelector(to)],
        ports: [{ protocol: "TCP", port: CONTAINER_PORT }],
      })),
      egress,
    },
  };
}

function listOpen({ stateApi, reachable }: AppOptions): object[] {
  return [
    ...[...stateApi, ...reachable].map((peer) => toEgress(peer, ["TCP"])),
    toEgress(NAME_SERVER, ["UDP", "TCP"]),
    { to: [{ ipBlock: { cidr: "0.0.0.0/0", except: NOT_PUBLIC } }] },
  ];
}

/** No name server but the guards, which answer at their own addresses whatever Service leads to them. */
function listGuarded({ stateApi }: AppOptions, { pods }: GuardPlace): object[] {
  return [...stateApi, ...pods].map((peer) => toEgress(peer, ["TCP"]));
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
export function createBudget(options: Owned, version: Version, serviceUid: string, replicas: number) {
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

export function createPod(
  options: AppOptions,
  order: StartOrder & { imageReference: string },
  serviceUid: string,
) {
  const { limits, guardImage, guards } = options;
  const { PLATFORM_STATE_API: stateApi } = order.environment;
  const pullSecrets = options.pullSecret.split(",").filter((name) => name !== "");
  const metadata = describe(options, order, namePod(order));
  const cpu = `${Math.round(limits.cpus * 1_000)}m`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      labels: {
        ...metadata.labels,
        [REPLICA_LABEL]: String(order.replica),
        ...(guards !== undefined && { [GUARDED_LABEL]: guards.nameServer }),
      },
      ...(guards !== undefined && { annotations: { [STATE_API_ANNOTATION]: stateApi } }),
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
      // The guards alone know the names that the app may use, and add no domains of the cluster to them.
      ...(guards !== undefined && { dnsPolicy: "None", dnsConfig: { nameservers: [guards.nameServer] } }),
      ...(guardImage !== "" && {
        initContainers: [createFirstContainer(guardImage, guards?.guards ?? [], RESTRICTED)],
      }),
      containers: [
        {
          name: CONTAINER,
          image: order.imageReference,
          imagePullPolicy: "IfNotPresent",
          env: [
            { name: "PLATFORM_PORT", value: String(CONTAINER_PORT) },
            {
              name: "PLATFORM_STATE_API",
              value: guards === undefined ? stateApi : nameStateApi(stateApi),
            },
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
