import type { Environment } from "../platform/environment";
import type { BlobStore } from "./blob-store";
import { folderStore } from "./folder-store";
import { registryStore } from "./registry-store";

/** The store that the operator chose. */
export function openStore(environment: Environment): BlobStore {
  const { PLATFORM_REGISTRY_URL, PLATFORM_REGISTRY_CREDENTIALS: credentials } = environment;
  if (PLATFORM_REGISTRY_URL === "") return folderStore(environment);
  const { origin, pathname } = new URL(PLATFORM_REGISTRY_URL);
  return registryStore({ origin, repository: toRepository(pathname), credentials });
}

/**
 * Where a cluster's nodes pull an image, by the digest of its manifest. Null for the folder, which no node can reach.
 * Images that were stored as one archive aren't in the registry: pulling them fails.
 */
export function findReference({ PLATFORM_REGISTRY_URL }: Environment, manifestDigest: string): string | null {
  if (PLATFORM_REGISTRY_URL === "") return null;
  const { host, pathname } = new URL(PLATFORM_REGISTRY_URL);
  return `${host}/${toRepository(pathname)}@${manifestDigest}`;
}

const toRepository = (pathname: string) => pathname.replaceAll(/^\/+|\/+$/g, "");
