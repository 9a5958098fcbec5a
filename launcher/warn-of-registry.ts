import { probeStore } from "@/lib/server/images/probe-store";
import type { Environment } from "@/lib/server/platform/environment";

/** Says once why the registry can't be used. Without it, the platform still serves pages and what runs already. */
export async function warnOfRegistry(environment: Environment): Promise<void> {
  const { name, problem } = await probeStore(environment);
  if (name !== "registry" || problem === null) return;
  console.warn(
    `The image registry ${environment.PLATFORM_REGISTRY_URL} can't be used: ${problem} Until then, apps whose images are not on this machine can't start, and versions can't be published.`,
  );
}
