/** Whether the store of images answers now, and how much room it has: for the operator, so without what others are told. */
import { statfs } from "node:fs/promises";
import { CERTIFICATE_CODES } from "../platform/database/availability";
import type { Environment } from "../platform/environment";
import { readRegistryAddress } from "./blob-store";
import { bundleFolder } from "./incoming-folder";
import { type RegistryAddress, registryClient } from "./registry-client";

export interface StoreProbe {
  name: "folder" | "registry";
  /** Of a folder's disk. Null for a registry, and if the folder is not on this machine. */
  disk: { freeBytes: number; totalBytes: number } | null;
  /** Why it can't be used and which setting may be wrong, in sentences; null if it answers. */
  problem: string | null;
}

const PATIENCE_MS = 3_000;

export async function probeStore(environment: Environment): Promise<StoreProbe> {
  const address = readRegistryAddress(environment);
  if (address !== undefined)
    return { name: "registry", disk: null, problem: await findRegistryProblem(address) };
  try {
    const { bavail, blocks, bsize } = await statfs(bundleFolder(environment));
    return {
      name: "folder",
      disk: { freeBytes: bavail * bsize, totalBytes: blocks * bsize },
      problem: null,
    };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    // Pages may run on a machine without it.
    const problem = code === "ENOENT" ? null : `The folder can't be read (${code}).`;
    return { name: "folder", disk: null, problem };
  }
}

/** Any digest will do: what is not there is answered, too. */
const EMPTY = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

async function findRegistryProblem(address: RegistryAddress): Promise<string | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const fail = (reason: string, isUnauthorized = false) =>
      new Error(
        isUnauthorized ? `${reason}. Correct PLATFORM_REGISTRY_CREDENTIALS` : explainCertificate(reason),
      );
    const { send } = registryClient(address, { fail });
    const { statusCode, body } = await send(`blobs/${EMPTY}`, { method: "HEAD", signal });
    await body.dump();
    return [200, 404].includes(statusCode) ? null : `It answered with status ${statusCode}.`;
  } catch (error) {
    if (signal.aborted) return `It didn't answer within ${PATIENCE_MS / 1_000} seconds.`;
    const reason = error instanceof Error ? error.message : String(error);
    return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  }
}

function explainCertificate(reason: string): string {
  return CERTIFICATE_CODES.test(reason)
    ? `${reason}, because its certificate is not trusted or not for this host. Name the file of its CA in NODE_EXTRA_CA_CERTS, or correct PLATFORM_REGISTRY_URL`
    : reason;
}
