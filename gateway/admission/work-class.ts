/** The gateway's work, in classes that never wait for each other: each has its own places and turns. */
import type { GatewayRoute } from "@/lib/domain/policy";
import type { Environment } from "@/lib/server/platform/environment";
import type { ShareLimits } from "@/lib/server/limits/share";

export const WORK_CLASSES = ["state", "calls", "events", "endpoints", "uploads", "streams", "other"] as const;
export type WorkClass = (typeof WORK_CLASSES)[number];

const CLASSES: { [Route in GatewayRoute]?: WorkClass } = {
  "GET /state/<key>": "state",
  "GET /state/<key>/webhook-secrets": "state",
  "POST /r/<routeId>": "calls",
  "POST /core/v1/events": "events",
  "ANY /r/<routeBase>/<path...>": "endpoints",
  "POST /publish/v1/apps/<organization>/<app>/versions": "uploads",
  "POST /publish/v1/uploads": "uploads",
  "PATCH /publish/v1/uploads/<digest>": "uploads",
  "GET /publish/v1/apps/<organization>/<app>/log/stream": "streams",
  "GET /publish/v1/apps/<organization>/<app>/calls/stream": "streams",
};

export function classify(route: GatewayRoute): WorkClass {
  return CLASSES[route] ?? "other";
}

/** The name of a class's requests in refusals. */
export const CLASS_NAMES: Record<WorkClass, string> = {
  state: "state reads",
  calls: "calls",
  events: "events",
  endpoints: "requests to endpoints",
  uploads: "uploads",
  streams: "streams",
  other: "requests",
};

/** In longer queues, requests would wait only to be refused in the end. Uploads and streams never wait for a place: each takes minutes. */
const LONGEST_WAIT_MS: Record<WorkClass, number> = {
  state: 300,
  calls: 300,
  events: 300,
  endpoints: 300,
  uploads: 0,
  streams: 0,
  other: 300,
};

export function limitsOf(name: WorkClass, environment: Environment): ShareLimits & { perKey: number } {
  const { total, each } = {
    state: environment.PLATFORM_SHARE_STATE,
    calls: environment.PLATFORM_SHARE_CALLS,
    events: environment.PLATFORM_SHARE_EVENTS,
    endpoints: environment.PLATFORM_SHARE_ENDPOINTS,
    uploads: environment.PLATFORM_SHARE_UPLOADS,
    streams: environment.PLATFORM_SHARE_STREAMS,
    other: environment.PLATFORM_SHARE_OTHER,
  }[name];
  const longestWaitMs = LONGEST_WAIT_MS[name];
  const [queue, queuePerKey] = longestWaitMs === 0 ? [0, 0] : [total, Math.ceil(each / 2)];
  return { total, perKey: each, queue, queuePerKey, longestWaitMs };
}
