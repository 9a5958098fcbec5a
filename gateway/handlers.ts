import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiKeyScope } from "@/lib/contract/accounts/api-key-scope";
import { releaseNotesInput } from "@/lib/contract/catalog/listing";
import { DRAFT_BODY_BYTES, publishFromInput, pushDraftInput } from "@/lib/contract/catalog/manifest-draft";
import { coreEvent } from "@/lib/contract/platform/core";
import { parseInput, Problem } from "@/lib/contract/platform/problem";
import { type Credential, GATEWAY_POLICY, type GatewayRoute } from "@/lib/domain/accounts/policy";
import { authenticateApiKey, type KeyHolder } from "@/lib/server/accounts/credentials/authenticate-api-key";
import { recognizeCore, type RecognizedCore } from "@/lib/server/accounts/credentials/authenticate-core";
import { type CallResult, callRouteAsCore } from "@/lib/server/calls/call-route";
import { acceptFromCore } from "@/lib/server/calls/deliveries/accept-event";
import { serveWebhookSecrets } from "@/lib/server/calls/deliveries/webhook-secrets";
import { serveState } from "@/lib/server/calls/serve-state";
import { writeNotesOfNumber } from "@/lib/server/catalog/listing-text";
import { type PublishedImage, publishVersion } from "@/lib/server/catalog/publish/publish-version";
import { pullDraft, pushDraft } from "@/lib/server/catalog/publish/sync-draft";
import { BUNDLE_LIMITS } from "@/lib/server/images/bad-bundle";
import { MANIFEST_TYPES } from "@/lib/server/images/sent-image";
import { readAddress, toNetwork } from "@/lib/server/platform/requests/read-request";
import { readJwks } from "@/lib/server/platform/sign-token";
import { readApiDescription } from "@/lib/server/surface/api/describe-api";
import { webPage } from "@/lib/server/surface/api/own-apps";
import { answerJson, answerText, type Exchange, untilClosed } from "./answer";
import { answerEndpoint } from "./answer-endpoint";
import * as ownApps from "./own-apps";
import { isOfType, readJson, readJsonText, readText } from "./read-json";
import { receiveBlob } from "./receive-blob";

/** The caller that a credential identifies. A state key needs no check here: reading the state opens it. */
interface Callers {
  nothing: undefined;
  "state-key": undefined;
  "core-credential": RecognizedCore;
  "api-key": KeyHolder;
  "api-key publish": KeyHolder;
  "api-key manifest:read": KeyHolder;
  "api-key manifest:write": KeyHolder;
  "api-key reviews:submit": KeyHolder;
  "api-key logs:read": KeyHolder;
  "api-key calls:read": KeyHolder;
  "api-key calls:replay": KeyHolder;
  "as-declared": undefined;
}

const AUTHENTICATE: { [Name in Credential]: (exchange: Exchange) => Promise<Callers[Name]> | Callers[Name] } =
  {
    nothing: () => undefined,
    "state-key": () => undefined,
    // The declaration is found with the endpoint.
    "as-declared": () => undefined,
    // The statement that serves the request checks that the credential still works.
    "core-credential": ({ platform, request }) => recognizeCore(platform, request.headers.authorization),
    "api-key": withApiKey(),
    "api-key publish": withApiKey("publish"),
    "api-key manifest:read": withApiKey("manifest:read"),
    "api-key manifest:write": withApiKey("manifest:write"),
    "api-key reviews:submit": withApiKey("reviews:submit"),
    "api-key logs:read": withApiKey("logs:read"),
    "api-key calls:read": withApiKey("calls:read"),
    "api-key calls:replay": withApiKey("calls:replay"),
  };

function withApiKey(scope?: ApiKeyScope): (exchange: Exchange) => Promise<KeyHolder> {
  return ({ platform, request }) => {
    const network = toNetwork(readAddress(platform.environment, request));
    return authenticateApiKey(platform, request.headers.authorization, { scope, network });
  };
}

type Handler<Name extends GatewayRoute> = (
  exchange: Exchange,
  caller: Callers[(typeof GATEWAY_POLICY)[Name]],
) => Promise<void> | void;

const HANDLERS: { [Name in GatewayRoute]: Handler<Name> } = {
  "GET /health": ({ response, isDraining }) =>
    isDraining
      ? answerJson(response, 503, { status: "draining" })
      : answerJson(response, 200, { status: "ok" }),

  "GET /.well-known/jwks.json": async ({ platform, response }) =>
    answerJson(response, 200, await readJwks(platform)),

  "GET /openapi.json": ({ platform, response }) =>
    answerText(response, 200, readApiDescription(platform.environment)),

  "GET /state/<key>": async ({ platform, response, parts: [key = ""] }) =>
    answerText(response, 200, await serveState(platform, key)),

  "GET /state/<key>/webhook-secrets": async ({ platform, response, parts: [key = ""] }) =>
    answerJson(response, 200, await serveWebhookSecrets(platform, key)),

  "POST /core/v1/events": async ({ platform, request, response }, core) => {
    const text = await readJsonText(request);
    const event = parseInput(coreEvent, text);
    answerJson(response, 202, await acceptFromCore(platform, core, event, text));
  },

  "POST /r/<routeId>": async ({ platform, request, response, parts: [routeId = ""] }, core) => {
    const text = await readJsonText(request);
    answerCall(response, await callRouteAsCore(platform, core, routeId, text));
  },

  "ANY /r/<routeBase>/<path...>": answerEndpoint,

  "GET /publish/v1/whoami": ({ platform, response }, holder) => {
    const { organizationSlug: slug, organizationName: name, apiKeyName, scopes } = holder;
    const answer = { organization: { slug, name }, apiKey: { name: apiKeyName, scopes } };
    answerJson(response, 200, { ...answer, webUrl: webPage(platform, "/") });
  },

  "POST /publish/v1/apps/<organization>/<app>/versions": async (
    { platform, request, response, parts, query },
    publisher,
  ) => {
    const appName = parts.join("/");
    const declaredVersion = query.get("version") ?? undefined;
    const image = await readImage(request);
    const { number, imageDigest, draftRevision } = await publishVersion(platform, publisher, {
      ...{ appName, declaredVersion, ...image },
      signal: untilClosed(response),
    });
    const listingUrl = new URL(`/publish/${parts[1] ?? ""}`, platform.environment.PLATFORM_WEB_URL).href;
    answerJson(response, 201, { version: number, imageDigest, listingUrl, draftRevision });
  },

  "POST /publish/v1/uploads": receiveBlob,
  "HEAD /publish/v1/uploads/<digest>": receiveBlob,
  "PATCH /publish/v1/uploads/<digest>": receiveBlob,

  "PUT /publish/v1/apps/<organization>/<app>/versions/<version>/notes": async (
    { platform, request, response, parts: [organization = "", app = "", version = ""] },
    publisher,
  ) => {
    const { notes } = await readJson(request, releaseNotesInput);
    await writeNotesOfNumber(platform, publisher, `${organization}/${app}`, version, notes);
    answerJson(response, 200, { version, characters: notes.length });
  },

  "GET /publish/v1/apps/<organization>/<app>/manifest": async ({ platform, response, parts }, publisher) =>
    answerJson(response, 200, await pullDraft(platform, publisher, parts.join("/"))),

  "PUT /publish/v1/apps/<organization>/<app>/manifest": async (
    { platform, request, response, parts },
    publisher,
  ) => {
    const input = await readJson(request, pushDraftInput, DRAFT_BODY_BYTES);
    answerJson(response, 200, await pushDraft(platform, publisher, parts.join("/"), input));
  },

  "GET /publish/v1/apps/<organization>/<app>/status": ownApps.answerStatus,
  "GET /publish/v1/apps/<organization>/<app>/versions": ownApps.answerVersions,
  "POST /publish/v1/apps/<organization>/<app>/reviews": ownApps.answerSubmission,
  "DELETE /publish/v1/apps/<organization>/<app>/reviews/<reviewId>": ownApps.answerWithdrawal,
  "GET /publish/v1/apps/<organization>/<app>/log": ownApps.answerLog,
  "GET /publish/v1/apps/<organization>/<app>/log/stream": ownApps.answerLogStream,
  "GET /publish/v1/apps/<organization>/<app>/calls": ownApps.answerCalls,
  "GET /publish/v1/apps/<organization>/<app>/calls/stream": ownApps.answerCallStream,
  "GET /publish/v1/apps/<organization>/<app>/calls/<callId>": ownApps.answerCallDetails,
  "POST /publish/v1/apps/<organization>/<app>/replays": ownApps.answerReplay,
};

/** Authenticates the caller as the policy table requires, then handles the request. */
export async function serveRoute<Name extends GatewayRoute>(name: Name, exchange: Exchange): Promise<void> {
  const credential: (typeof GATEWAY_POLICY)[Name] = GATEWAY_POLICY[name];
  await HANDLERS[name](exchange, await AUTHENTICATE[credential](exchange));
}

/** What is published: an image that was sent blob by blob, one in a registry, or else an archive, which is read later. */
async function readImage(request: IncomingMessage): Promise<PublishedImage> {
  if (isOfType(request, MANIFEST_TYPES))
    return { manifest: await readText(request, BUNDLE_LIMITS.documentBytes) };
  if (isOfType(request, ["application/json"])) return { from: await readJson(request, publishFromInput) };
  return { archive: request };
}

/** Returns the app's answer to the core unchanged, or the reason why there is none: 502, 503 or 504. */
function answerCall(response: ServerResponse, result: CallResult): void {
  if (result.failureCode !== null) throw toProblem(result.failureCode, result);
  answerText(response, 200, result.answer ?? "null");
}

/** The issues have the stable code of the failure. */
function toProblem(
  code: NonNullable<CallResult["failureCode"]>,
  { failure, fault, issues }: CallResult,
): Problem {
  const detail = failure ?? "The app did not respond.";
  const own = fault === null ? [] : [{ code: fault, pointer: "", message: detail }];
  return new Problem(code, detail, issues.length > 0 ? issues : own);
}
