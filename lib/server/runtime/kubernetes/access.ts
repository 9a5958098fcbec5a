/**
 * Where the API server is, and as whom it is used: what `KUBECONFIG` says, or the service account of the Pod that this process runs in.
 * Programs that a kubeconfig names (`exec`) are not run: in a cluster, nothing needs them.
 */
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";

export interface AccessSettings {
  /** Path of a kubeconfig. Empty: the Pod's service account. */
  KUBECONFIG: string;
  KUBERNETES_SERVICE_HOST: string;
  KUBERNETES_SERVICE_PORT: string;
}

export interface Access {
  /** Origin, and the path before all others if it has one. */
  server: string;
  tls: { ca?: string; cert?: string; key?: string; servername?: string; rejectUnauthorized?: boolean };
  /** Undefined if a certificate says who it is. */
  readToken(): Promise<string | undefined>;
}

const ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Throws an error that says what is missing. */
export async function readAccess(settings: AccessSettings): Promise<Access> {
  // kubectl merges several files. Here, the first has all.
  const [file = ""] = settings.KUBECONFIG.split(path.delimiter);
  if (file !== "") return readKubeconfig(file);
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = settings;
  const token = path.join(ACCOUNT_FOLDER, "token");
  if (host === "" || !(await exists(token)))
    throw new Error(
      "there are no credentials: set KUBECONFIG to a file, or run the worker in a Pod with a service account",
    );
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port || "443"}`,
    tls: { ca: await readFile(path.join(ACCOUNT_FOLDER, "ca.crt"), "utf8") },
    readToken: async () => (await readFile(token, "utf8")).trim(),
  };
}

const text = z.string().min(1).optional();
const kubeconfig = z.object({
  "current-context": z.string().min(1),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) }),
  ),
  clusters: z.array(
    z.object({
      name: z.string(),
      cluster: z.object({
        server: z.url(),
        "certificate-authority": text,
        "certificate-authority-data": text,
        "insecure-skip-tls-verify": z.boolean().default(false),
        "tls-server-name": text,
      }),
    }),
  ),
  users: z.array(
    z.object({
      name: z.string(),
      user: z.object({
        token: text,
        tokenFile: text,
        "client-certificate": text,
        "client-certificate-data": text,
        "client-key": text,
        "client-key-data": text,
        exec: z.unknown().optional(),
        "auth-provider": z.unknown().optional(),
      }),
    }),
  ),
});

async function readKubeconfig(file: string): Promise<Access> {
  const parsed = kubeconfig.safeParse(parse(await readFile(file, "utf8")));
  if (!parsed.success)
    throw new Error(
      `${file} is not a kubeconfig: ${parsed.error.issues[0]?.path.join(".")} is missing or wrong`,
    );
  const { contexts, clusters, users, "current-context": current } = parsed.data;
  const context = contexts.find(({ name }) => name === current)?.context;
  const cluster = clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = users.find(({ name }) => name === context?.user)?.user;
  if (cluster === undefined || user === undefined)
    throw new Error(`${file} has no cluster or no user for its context ${current}`);
  const credentials = [user.token, user.tokenFile, user["client-key"], user["client-key-data"]];
  if (credentials.every((each) => each === undefined))
    throw new Error(
      `${file} names no token and no certificate for its context ${current}. Programs that print credentials are not run`,
    );
  // Paths are relative to the file.
  const read = async (data: string | undefined, name: string | undefined) => {
    if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
    return name === undefined ? undefined : readFile(path.resolve(path.dirname(file), name), "utf8");
  };
  const [ca, cert, key] = await Promise.all([
    read(cluster["certificate-authority-data"], cluster["certificate-authority"]),
    read(user["client-certificate-data"], user["client-certificate"]),
    read(user["client-key-data"], user["client-key"]),
  ]);
  return {
    server: cluster.server,
    tls: {
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(cluster["tls-server-name"] !== undefined && { servername: cluster["tls-server-name"] }),
      ...(cluster["insecure-skip-tls-verify"] && { rejectUnauthorized: false }),
    },
    readToken: async () => user.token ?? (await read(undefined, user.tokenFile))?.trim(),
  };
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
