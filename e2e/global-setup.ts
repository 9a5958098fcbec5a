/** Starts one platform, in containers if there is an engine, for all specs of a run. Its demo grows while the first specs run. */
import { startPlatform } from "./start-platform";

export default async function startSharedPlatform(): Promise<() => Promise<void>> {
  const { stop, ...platform } = await startPlatform("auto");
  process.env.PLATFORM_E2E = JSON.stringify(platform);
  return async () => void (await stop());
}
