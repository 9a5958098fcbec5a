import { type Environment, readEnvironment } from "../../platform/environment";
import type { Platform } from "../../platform/platform";
import { closePlatform, createPlatform } from "../create-platform";

/** Next bundles routes separately, so they share state through the global object. */
const shared: typeof globalThis & {
  hostingPlatform?: Platform;
  hostingEnvironment?: Environment;
  isHostingDraining?: boolean;
} = globalThis;

export function webEnvironment(): Environment {
  shared.hostingEnvironment ??= readEnvironment();
  return shared.hostingEnvironment;
}

/** The web process's only Platform, created at the first request: see `launcher/serve-web.ts` for its end. */
export function webPlatform(): Platform {
  shared.hostingPlatform ??= createPlatform(webEnvironment(), "web");
  return shared.hostingPlatform;
}

/** Undefined before the first request. For code of another bundle than the pages', which must not create it: its errors would be others. */
export function createdWebPlatform(): Platform | undefined {
  return shared.hostingPlatform;
}

/** From now on, `/ready` says that this process is ending. Everything else is still served. */
export function announceWebEnd(): void {
  shared.isHostingDraining = true;
}

/** Live lists end first: a drain would wait for them. Browsers open them again, in another process. */
export async function endWebPlatform(drain: () => Promise<void>): Promise<void> {
  shared.hostingPlatform?.services.liveLists.endAll();
  await drain();
  if (shared.hostingPlatform !== undefined) await closePlatform(shared.hostingPlatform);
}

/** The process got a signal to end. */
export function isWebDraining(): boolean {
  return shared.isHostingDraining === true;
}
