/**
 * All routes of the gateway, and the OpenAPI document that describes them. To add a route, write it in a file of `routes/` and
 * list it in `ROUTES`. `tests/matrix/gateway.test.ts` doesn't compile until it says what each credential gets from the new route.
 */
import * as z from "zod";
import type { Environment } from "../../platform/environment";
import { NO_CREDENTIAL } from "./routes/credentials";
import { describeApi } from "./describe-api";
import { jsonText, route } from "./routes/route";
import { callDetails, calls, callStream, replay } from "./routes/calls";
import { call, event } from "./routes/core";
import { basePage, endpoint } from "./routes/endpoint";
import { creation } from "./routes/listing";
import { log, logStream } from "./routes/log";
import { health, keySet, live, ready, whoami } from "./routes/platform";
import { submission, withdrawal } from "./routes/reviews";
import { secrets, state } from "./routes/state";
import { status } from "./routes/status";
import { beginUpload, continueUpload, findUpload } from "./routes/uploads";
import { publish, readDraft, saveDraft, saveNotes, versions } from "./routes/versions";

const openApi = route({
  name: "GET /openapi.json",
  credential: NO_CREDENTIAL,
  summary: "Read this description",
  answer: jsonText(z.looseObject({ openapi: z.string() })),
  run: ({ platform }) => readApiDescription(platform.environment),
});

/** In the order of the OpenAPI document. The first that matches a request serves it. */
export const ROUTES = [
  live,
  ready,
  health,
  keySet,
  openApi,
  state,
  secrets,
  event,
  call,
  basePage,
  endpoint,
  whoami,
  creation,
  publish,
  versions,
  beginUpload,
  findUpload,
  continueUpload,
  saveNotes,
  readDraft,
  saveDraft,
  status,
  submission,
  withdrawal,
  log,
  logStream,
  calls,
  // Before the route of one call, which would match it too.
  callStream,
  callDetails,
  replay,
] as const;

export type GatewayRoute = (typeof ROUTES)[number]["name"];

const PROBES: ReadonlySet<string> = new Set<GatewayRoute>(["GET /live", "GET /ready", "GET /health"]);

/** Asked by load balancers and supervisors, on each listener. */
export function isProbe(name: string): boolean {
  return PROBES.has(name);
}

type Addresses = Pick<Environment, "PLATFORM_GATEWAY_URL" | "PLATFORM_WEB_URL">;

const texts = new Map<string, string>();

/** The OpenAPI document as JSON text, generated once, because anyone may ask for it. */
export function readApiDescription({ PLATFORM_GATEWAY_URL, PLATFORM_WEB_URL }: Addresses): string {
  const text =
    texts.get(PLATFORM_GATEWAY_URL) ??
    JSON.stringify(describeApi(ROUTES, PLATFORM_GATEWAY_URL, PLATFORM_WEB_URL));
  texts.set(PLATFORM_GATEWAY_URL, text);
  return text;
}
