import type { Environment } from "../platform/environment";
import type { BlobStore } from "./blob-store";
import { folderStore } from "./folder-store";
import { registryStore } from "./registry-store";

/** The store that the operator chose. */
export function openStore(environment: Environment): BlobStore {
  const { PLATFORM_REGISTRY_URL, PLATFORM_REGISTRY_CREDENTIALS: credentials } = environment;
  if (PLATFORM_REGISTRY_URL === "") return folderStore(environment);
  const { origin, pathname } = new URL(PLATFORM_REGISTRY_URL);
  return registryStore({ origin, repository: pathname.replaceAll(/^\/+|\/+$/g, ""), credentials });
}
