import { type Environment, readEnvironment } from "../../platform/environment";
import { createPlatform, type Platform } from "../../platform/platform";

/** Next bundles routes separately, so they share state through the global object. */
const shared: typeof globalThis & { hostingPlatform?: Platform; hostingEnvironment?: Environment } =
  globalThis;

export function webEnvironment(): Environment {
  shared.hostingEnvironment ??= readEnvironment();
  return shared.hostingEnvironment;
}

/** The web process's only Platform, created at the first request. */
export function webPlatform(): Platform {
  shared.hostingPlatform ??= createPlatform(webEnvironment(), "web");
  return shared.hostingPlatform;
}
