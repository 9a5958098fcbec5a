import { readEnvironment, type Environment } from "../platform/environment";
import { createPlatform, type Platform } from "../platform/platform";

/** Next bundles routes apart from each other: the process-wide object is where they meet. */
const shared: typeof globalThis & { hostingPlatform?: Platform; hostingEnvironment?: Environment } =
  globalThis;

export function webEnvironment(): Environment {
  shared.hostingEnvironment ??= readEnvironment();
  return shared.hostingEnvironment;
}

/** The web process's one Platform, made at its first request. */
export function webPlatform(): Platform {
  shared.hostingPlatform ??= createPlatform(webEnvironment(), "web");
  return shared.hostingPlatform;
}
