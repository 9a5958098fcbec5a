import type { Environment } from "../platform/environment";

/** The URL of a `routeId`, or of an installation's route base. */
export function routeUrl(environment: Pick<Environment, "PLATFORM_GATEWAY_URL">, id: string): string {
  return `${environment.PLATFORM_GATEWAY_URL.replace(/\/+$/, "")}/r/${id}`;
}
