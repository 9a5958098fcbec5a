/**
 * For tests: a namespace of a real cluster, with the Role that docs/kubernetes.md gives to the worker. The cluster is KUBECONFIG's, whose
 * user must be an administrator; the registry is one that this machine and the nodes reach by the same name.
 */
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import Docker from "dockerode";
import pino from "pino";
import { v7 } from "uuid";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { DEFAULT_APP_LIMITS } from "@/lib/server/platform/environment";
import type { StartOrder } from "@/lib/server/runtime/engines/runtime";
import { type Cluster, connectCluster } from "@/lib/server/runtime/kubernetes/client";
import { type KubernetesOptions, kubernetesRuntime } from "@/lib/server/runtime/kubernetes/kubernetes";
import { CONTAINER_SCRIPTS, reachFromHere, type RuntimeFixture } from "./runtime-fixtures";
import { writeImage } from "./test-image";

const { KUBECONFIG = "", PLATFORM_TEST_CLUSTER, PLATFORM_TEST_CALLERS = "10.245.0.1" } = process.env;
const { PLATFORM_TEST_REGISTRY = "127.0.0.1:5000", PLATFORM_TEST_REGISTRY_CREDENTIALS = "" } = process.env;
const NO_CLUSTER = { KUBERNETES_SERVICE_HOST: "", KUBERNETES_SERVICE_PORT: "" };
const PULL_SECRET = "registry";

/** Why nothing can be tried in a cluster; undefined if it can. Never a cluster that just happens to be configured. */
export async function findClusterFailure(): Promise<string | undefined> {
  if (PLATFORM_TEST_CLUSTER !== "1") return "npm run test:kubernetes runs it";
  if (KUBECONFIG === "") return "KUBECONFIG is not set";
  const cluster = connectCluster({ ...NO_CLUSTER, KUBECONFIG });
  const failure = await cluster.send({ path: "/version" }).then(
    () => undefined,
    (error: unknown) => `no cluster responds: ${String(error)}`,
  );
  await cluster.close();
  return failure;
}

export interface KubernetesFixture extends RuntimeFixture {
  namespace: string;
  /** Of KUBECONFIG's user. */
  admin: Cluster;
  findFailure: ReturnType<typeof kubernetesRuntime>["findFailure"];
  /** The same runtime as another worker, or with other options. */
  another(options?: Partial<KubernetesOptions>): ReturnType<typeof kubernetesRuntime>;
  /** An order for an image that no node has yet. */
  missing: StartOrder;
  /** An order for an image of the test's own. */
  order(script: string, volumes?: readonly string[]): Promise<StartOrder & { imageReference: string }>;
}

/** @param folder for images, and the worker's kubeconfig */
export async function kubernetesFixture(folder: string, busybox: string): Promise<KubernetesFixture> {
  const admin = connectCluster({ ...NO_CLUSTER, KUBECONFIG });
  const namespace = `apps-${randomUUID().slice(0, 8)}`;
  await applyAll(admin, namespace);
  const kubeconfig = await writeKubeconfig(admin, namespace, folder);
  await createPullSecret(admin, namespace);
  const owner = randomUUID();
  const opened: ReturnType<typeof kubernetesRuntime>[] = [];
  const another = (options: Partial<KubernetesOptions> = {}) => {
    const made = kubernetesRuntime(connectCluster({ ...NO_CLUSTER, KUBECONFIG: kubeconfig }), {
      namespace,
      log: pino({ level: "silent" }),
      limits: DEFAULT_APP_LIMITS,
      pullSecret: PULL_SECRET,
      guardImage: "",
      callers: PLATFORM_TEST_CALLERS.split(",").map((address) => ({ to: { cidr: `${address}/32` } })),
      stateApi: [],
      reachable: [],
      readOwner: async () => owner,
      ...options,
    });
    opened.push(made);
    return made;
  };
  const order = async (script: string, volumes: readonly string[] = []) => {
    const name = randomUUID().slice(0, 8);
    const archivePath = path.join(folder, `${name}.tar`);
    const imageDigest = await writeImage(archivePath, busybox, `${script}\n# ${name}`, volumes);
    const imageReference = await pushImage(archivePath, imageDigest, name);
    return {
      bundleKind: "image" as const,
      versionId: v7(),
      replica: 0,
      organizationId: v7(),
      appName: "conformance",
      imageDigest,
      openArchive: () => Promise.reject(new Error("nodes pull images")),
      imageReference,
      environment: { PLATFORM_STATE_API: "http://127.0.0.1:4999" },
    };
  };
  const { runtime, findFailure } = another();
  return {
    runtime,
    findFailure,
    admin,
    namespace,
    another,
    order,
    missing: await order(CONTAINER_SCRIPTS.serving),
    serving: await order(CONTAINER_SCRIPTS.serving, ["/data"]),
    failing: await order(CONTAINER_SCRIPTS.failing),
    crashing: await order(CONTAINER_SCRIPTS.crashing),
    reach: reachFromHere,
    clean: async () => {
      for (const each of opened) await each.runtime.close();
      await admin.send({ method: "DELETE", path: `/api/v1/namespaces/${namespace}` });
      await admin.close();
    },
  };
}

const objectShape = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});

const PLURALS: Record<string, string> = {
  Namespace: "namespaces",
  NetworkPolicy: "networkpolicies",
  Role: "roles",
  RoleBinding: "rolebindings",
};

/** What the docs tell operators to apply, for a namespace of the test's own. The worker's account is in it, too. */
async function applyAll(admin: Cluster, namespace: string): Promise<void> {
  const file = await readFile("deploy/kubernetes/apps.yaml", "utf8");
  const text = file
    .replaceAll("platform-apps", namespace)
    .replace("namespace: platform\n", `namespace: ${namespace}\n`);
  for (const document of parseAllDocuments(text)) {
    const object = objectShape.parse(document.toJS());
    const group = object.apiVersion === "v1" ? "/api/v1" : `/apis/${object.apiVersion}`;
    const scope = object.metadata.namespace === undefined ? "" : `/namespaces/${namespace}`;
    await admin.apply(`${group}${scope}/${PLURALS[object.kind]}`, object);
  }
}

const tokenShape = z.object({ status: z.object({ token: z.string() }) });

/** Of the worker's service account, so that the Role is tried too. */
async function writeKubeconfig(admin: Cluster, namespace: string, folder: string): Promise<string> {
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "worker" } };
  await admin.apply(accounts, account);
  const request = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: 7200 },
  };
  const { status } = tokenShape.parse(
    await admin.send({ method: "POST", path: `${accounts}/worker/token`, body: request }),
  );
  const config: unknown = parseAllDocuments(await readFile(KUBECONFIG, "utf8"))[0]?.toJS();
  const { contexts, "current-context": current } = z
    .object({
      contexts: z.array(z.object({ name: z.string(), context: z.object({ user: z.string() }) })),
      "current-context": z.string(),
    })
    .parse(config);
  const name = contexts.find((context) => context.name === current)?.context.user;
  const file = path.join(folder, `${namespace}.conf`);
  const users = [{ name, user: { token: status.token } }];
  await writeFile(file, JSON.stringify(Object.assign({}, config, { users })));
  return file;
}

/** With it, nodes pull images of the tests' registry. */
export async function createPullSecret(admin: Cluster, namespace: string): Promise<void> {
  const auth = Buffer.from(PLATFORM_TEST_REGISTRY_CREDENTIALS).toString("base64");
  const config = JSON.stringify({ auths: { [PLATFORM_TEST_REGISTRY]: { auth } } });
  await admin.apply(`/api/v1/namespaces/${namespace}/secrets`, {
    ...{ apiVersion: "v1", kind: "Secret", type: "kubernetes.io/dockerconfigjson" },
    ...{ data: { ".dockerconfigjson": Buffer.from(config).toString("base64") } },
    metadata: { name: PULL_SECRET },
  });
}

const pushedShape = z.object({
  aux: z.object({ Digest: z.string() }).optional(),
  error: z.string().optional(),
});

function follow(docker: Docker, stream: NodeJS.ReadableStream): Promise<unknown[]> {
  return new Promise((resolve, reject) =>
    docker.modem.followProgress(stream, (error, output) =>
      error === null ? resolve(output) : reject(error),
    ),
  );
}

/** By this machine's engine, which is not the cluster's. @returns what nodes pull */
async function pushImage(archivePath: string, id: string, name: string): Promise<string> {
  const docker = new Docker();
  await follow(docker, await docker.loadImage(archivePath));
  return pushLoaded(id, name);
}

/** An image that this machine's engine has, which then forgets it. @param id or name */
export async function pushLoaded(id: string, name: string): Promise<string> {
  const docker = new Docker();
  const repo = `${PLATFORM_TEST_REGISTRY}/conformance/${name}`;
  const image = docker.getImage(id);
  await image.tag({ repo, tag: "latest" });
  const [username = "", password = ""] = PLATFORM_TEST_REGISTRY_CREDENTIALS.split(":");
  const serveraddress = PLATFORM_TEST_REGISTRY;
  const pushed = await follow(
    docker,
    await docker.getImage(`${repo}:latest`).push({ authconfig: { username, password, serveraddress } }),
  );
  // By its names: an engine doesn't forget the id of an image that it built others from.
  for (const tag of (await image.inspect()).RepoTags) await docker.getImage(tag).remove({ force: true });
  const lines = pushed.map((line) => pushedShape.safeParse(line).data);
  const digest = lines.find((line) => line?.aux !== undefined)?.aux?.Digest;
  if (digest === undefined) throw new Error(`the image was not pushed: ${JSON.stringify(pushed.at(-1))}`);
  return `${repo}@${digest}`;
}
