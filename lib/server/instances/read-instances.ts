import type { Platform } from "../platform/platform";
import { selectReplicas, selectRunningInstances } from "./scale-queries";

/** What runs of an app, for its publisher. `most`: how many instances of a version the operator allows. */
export async function readInstances(platform: Platform, listingId: string) {
  const [replicas, instances] = await Promise.all([
    selectReplicas(platform.db, listingId),
    selectRunningInstances(platform.db, listingId),
  ]);
  const most = platform.environment.PLATFORM_APP_REPLICAS;
  return { replicas: Math.min(replicas, most), most, instances };
}
