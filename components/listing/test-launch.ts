import type { InstallationState } from "@/lib/contract/installation";
import type { ListingState } from "@/lib/contract/listing";

/** A Test Launch that the publishing organization has. */
export interface TestLaunch {
  id: string;
  /** The version that it runs. */
  number: string;
  state: InstallationState;
  tenantName: string;
}

/** A publisher tries its own versions in any state but the last one. */
export function mayTestLaunch(state: ListingState): boolean {
  return state !== "RETIRED";
}

/** @param name `<org-name>/<app-name>`; without a version: the newest. */
export function testLaunchPath(name: string, versionId?: string): string {
  const query = new URLSearchParams({
    test: "1",
    ...(versionId === undefined ? {} : { version: versionId }),
  });
  return `/launch/${name}?${query}`;
}
