/** The API description of each gateway route. A route without an entry does not compile. */
import * as z from "zod";
import { EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import {
  acceptedEvent,
  healthAnswer,
  jwksAnswer,
  publishAnswer,
  savedNotes,
  webhookSecrets,
  whoamiAnswer,
} from "@/lib/contract/calls/gateway-answers";
import { stateRecord } from "@/lib/contract/catalog/configuration";
import { releaseNotesInput } from "@/lib/contract/catalog/listing";
import { pulledDraft, pushDraftInput, pushedDraft } from "@/lib/contract/catalog/manifest-draft";
import { coreEvent } from "@/lib/contract/platform/core";
import type { ProblemCode } from "@/lib/contract/platform/problem";
import type { GatewayRoute } from "@/lib/domain/accounts/policy";
import { APP, BODY, json, NOTHING, type Operation } from "./operation";
import { OWN_APP_OPERATIONS } from "./own-app-operations";

const anyJson = z.unknown().meta({ description: "Any JSON." });

const APP_FAULTS: readonly ProblemCode[] = ["APP_FAILED", "APP_BUSY", "APP_NOT_RUNNING", "APP_TIMED_OUT"];

const UPLOAD: readonly ProblemCode[] = [
  "BAD_INPUT",
  "NOT_ALLOWED",
  "QUOTA_EXCEEDED",
  "NOT_FOUND",
  "TOO_SLOW",
  "WRONG_STATE",
  "TOO_LARGE",
  "STORAGE_FULL",
];

const STATE = {
  settings: { region: "eu", apiKey: "the customer's key" },
  mappings: [{ productName: "Personal Auto", fields: { vin: "$.vehicle.vin" } }],
  coreApiUrl: "https://api.core.example/tenants/harbor",
  tenantHostName: "harbor.core.example",
  token: "eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl",
};

export const OPERATIONS: { [Name in GatewayRoute]: Operation } = {
  "GET /health": {
    tag: "Platform",
    summary: "Check the gateway",
    status: 200,
    answer: json(healthAnswer, { status: "ok" }),
    problems: [],
  },
  "GET /.well-known/jwks.json": {
    tag: "Platform",
    summary: "Read the keys that verify tokens",
    description: "A JSON Web Key Set. Tokens in state records are JWTs that one of these keys has signed.",
    status: 200,
    answer: json(jwksAnswer),
    problems: [],
  },
  "GET /openapi.json": {
    tag: "Platform",
    summary: "Read this description",
    status: 200,
    answer: json(z.looseObject({ openapi: z.string() })),
    problems: [],
  },
  "GET /state/<key>": {
    tag: "State",
    summary: "Read the state of a request",
    description:
      "For apps. The key selects one customer's configuration, fixed for the request that carried it. A stop or an " +
      "uninstall ends all keys within one second. Unknown, expired, revoked, and malformed keys get the same response.",
    parameters: { key: "The value of the `x-PLATFORM-key` header of the request that the app is handling." },
    status: 200,
    answer: json(stateRecord, STATE),
    problems: ["NOT_FOUND"],
  },
  "GET /state/<key>/webhook-secrets": {
    tag: "State",
    summary: "Read the secrets that sign webhooks",
    description:
      "For apps: the current secret first. After a rotation, the previous one signs as well for a while. Verify webhooks " +
      "with a Standard Webhooks library.",
    parameters: { key: "The value of the `x-PLATFORM-key` header of the request that the app is handling." },
    status: 200,
    answer: json(webhookSecrets, { secrets: [`whsec_${"A".repeat(43)}=`] }),
    problems: ["NOT_FOUND"],
  },
  "POST /core/v1/events": {
    tag: "Core",
    summary: "Send an event",
    description:
      "Stores the event and its deliveries before it responds; no crash loses them. A repeated event gets the first " +
      "response. Event IDs are remembered for as long as events are kept (30 days by default).",
    body: json(coreEvent, EVENT_CATALOG[0]?.sample),
    status: 202,
    answer: json(acceptedEvent, {
      eventId: "019ab0c1-7e2d-7000-8000-000000000001",
      deliveries: 2,
      duplicate: false,
    }),
    problems: [...BODY, "EVENT_ID_REUSED"],
  },
  "POST /r/<routeId>": {
    tag: "Core",
    summary: "Call an autofill or rater route of an app",
    description:
      "Forwarded immediately, with a deadline of 10 seconds. Never sent twice. The response is the app's.",
    parameters: { routeId: "The route's id, which the installation's page shows." },
    body: json(anyJson, {
      operation: "newBusiness.create",
      policy: { vehicle: { vin: "YV1CZ852851194259" } },
    }),
    status: 200,
    answer: json(anyJson),
    problems: [...BODY, "OPERATION_NOT_DECLARED", "NOT_FOUND", "WRONG_STATE", ...APP_FAULTS],
  },
  "ANY /r/<routeBase>/<path...>": {
    tag: "Endpoints",
    summary: "Call an endpoint of an app",
    description:
      "The app's manifest declares paths and methods, and whether anyone may call them or only the tenant's core. Bodies " +
      "are streamed in both directions. Status, headers, and body of the response are the app's.",
    parameters: { routeBase: "Names the installation.", path: "A path that the manifest declares." },
    body: { type: "*/*", schema: z.unknown() },
    status: 200,
    answer: { type: "*/*", schema: z.unknown() },
    problems: ["BAD_PATH", "NOT_FOUND", "TOO_SLOW", "TOO_LARGE", ...APP_FAULTS],
  },
  "GET /publish/v1/whoami": {
    tag: "Publish",
    summary: "Check an API key",
    status: 200,
    answer: json(whoamiAnswer, {
      organization: { slug: "acme", name: "Acme" },
      apiKey: { name: "CI", scopes: ["publish", "manifest:read"] },
      webUrl: "https://platform.example/",
    }),
    problems: [],
  },
  "POST /publish/v1/apps/<organization>/<app>/versions": {
    tag: "Publish",
    summary: "Publish an image as a version",
    description:
      "The body is an image archive (`docker save`), plain or compressed with gzip. Or it is an OCI image manifest with its own " +
      "media type (`application/vnd.oci.image.manifest.v1+json`), whose blobs were uploaded before. Or it is JSON " +
      "that names an image in a registry. The API key needs the scope `publish`.",
    parameters: APP,
    query: z.object({
      version: z.string().optional().meta({
        description: "The version number, if it is not the one in the image's manifest.",
        example: "1.5.0",
      }),
    }),
    body: { type: "application/x-tar", schema: z.unknown() },
    status: 201,
    answer: json(publishAnswer, {
      version: "1.5.0",
      imageDigest: `sha256:${"0".repeat(64)}`,
      listingUrl: "https://platform.example/publish/vin-lookup",
    }),
    problems: [
      "BAD_INPUT",
      "BAD_MANIFEST",
      "BAD_BUNDLE",
      "NOT_ALLOWED",
      "QUOTA_EXCEEDED",
      "NOT_FOUND",
      "TOO_SLOW",
      "VERSION_EXISTS",
      "WRONG_STATE",
      "TOO_LARGE",
      "STORAGE_FULL",
      "REGISTRY_FAILED",
    ],
  },
  "POST /publish/v1/uploads": {
    tag: "Publish",
    summary: "Begin the upload of a blob",
    description:
      "Resumable, by the tus protocol 1.0.0. `Upload-Metadata` contains the blob's digest as `digest`, `Upload-Length` its " +
      "size. The upload's URL is this one with the digest. The API key needs the scope `publish`.",
    status: 201,
    answer: NOTHING,
    problems: UPLOAD,
  },
  "HEAD /publish/v1/uploads/<digest>": {
    tag: "Publish",
    summary: "Ask how much of a blob has arrived",
    description:
      "`Upload-Offset` is as large as `Upload-Length` if all of it has arrived, or if your organization has stored the blob. " +
      "Like all responses to HEAD, errors have no body. The API key needs the scope `publish`.",
    parameters: { digest: "`sha256:` and 64 hexadecimal digits." },
    status: 200,
    answer: NOTHING,
    problems: UPLOAD,
  },
  "PATCH /publish/v1/uploads/<digest>": {
    tag: "Publish",
    summary: "Send a part of a blob",
    description:
      "From `Upload-Offset` on. What arrives before a connection breaks is kept for a day. The API key needs the scope `publish`.",
    parameters: { digest: "`sha256:` and 64 hexadecimal digits." },
    body: { type: "application/offset+octet-stream", schema: z.unknown() },
    status: 204,
    answer: NOTHING,
    problems: UPLOAD,
  },
  "PUT /publish/v1/apps/<organization>/<app>/versions/<version>/notes": {
    tag: "Publish",
    summary: "Save the release notes of a version",
    description:
      "Markdown. They can be changed until the version is submitted for review. The API key needs the scope `publish`.",
    parameters: { ...APP, version: "The version number." },
    body: json(releaseNotesInput, { notes: "Faster lookups." }),
    status: 200,
    answer: json(savedNotes, { version: "1.5.0", characters: 15 }),
    problems: [...BODY, "BAD_MANIFEST", "NOT_ALLOWED", "NOT_FOUND", "WRONG_STATE"],
  },
  "GET /publish/v1/apps/<organization>/<app>/manifest": {
    tag: "Publish",
    summary: "Read the draft of an app's manifest",
    description: "The API key needs the scope `manifest:read`.",
    parameters: APP,
    status: 200,
    answer: json(pulledDraft),
    problems: ["BAD_MANIFEST", "NOT_ALLOWED", "NOT_FOUND"],
  },
  "PUT /publish/v1/apps/<organization>/<app>/manifest": {
    tag: "Publish",
    summary: "Save the draft of an app's manifest",
    description:
      "Saves it even if it has errors, and returns all of them. The API key needs the scope `manifest:write`.",
    parameters: APP,
    body: json(pushDraftInput, { text: '{ "name": "acme/vin-lookup", "version": "1.5.0" }', revision: 3 }),
    status: 200,
    answer: json(pushedDraft, { revision: 4, issues: [] }),
    problems: [...BODY, "BAD_MANIFEST", "NOT_ALLOWED", "NOT_FOUND", "STALE_REVISION", "WRONG_STATE"],
  },
  ...OWN_APP_OPERATIONS,
};
