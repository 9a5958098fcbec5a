/** What publishers' tools do with an app after publishing: its status, versions, reviews, log and calls. */
import * as z from "zod";
import { replayResult } from "@/lib/contract/calls/gateway-answers";
import { callPage, callView } from "@/lib/contract/insight/call";
import type { ProblemCode } from "@/lib/contract/platform/problem";
import {
  appLogPage,
  appReplayInput,
  appStatus,
  appVersions,
  callsQuery,
  callStreamQuery,
  logQuery,
  logStreamQuery,
  submittedVersion,
  submitVersionInput,
  versionsQuery,
} from "@/lib/contract/surface/own-app";
import type { GatewayRoute } from "@/lib/domain/accounts/policy";
import { APP, BODY, json, NOTHING, type Operation } from "./operation";

const REFUSED: readonly ProblemCode[] = ["NOT_ALLOWED", "NOT_FOUND"];

const ID = "019ab0c1-7e2d-7000-8000-000000000001";
const AT = "2026-01-31T12:00:00.000Z";
const PAGE = "https://platform.example/publish/vin-lookup";

const STREAM =
  "Server-sent events. `changes` has what was added as its data; with `more`, so much changed that the list must be read " +
  "again. `beat` says that nothing changed, at least every five seconds. `end` says that the API key no longer works. After a " +
  "broken connection, send the last event's ID as `Last-Event-ID`: nothing is lost or repeated within ten minutes.";

const line = {
  kind: "line",
  id: "1769860800000000-1-0000000000042",
  at: AT,
  instanceId: ID,
  stream: "stdout",
  level: "info",
  text: "listening on port 8080",
  cutBytes: 0,
};

const call = {
  id: ID,
  attemptId: ID,
  kind: "webhook",
  target: "POST /events",
  eventType: "policy.issued",
  at: AT,
  durationMs: 12,
  status: 500,
  failure: "It returned 500.",
  test: false,
  dueAt: null,
  heldBy: null,
  installation: { id: ID, title: "VIN lookup", tenant: "Sandbox", test: true },
  delivery: { id: ID, state: "DEAD", attemptCount: 12, nextAttemptAt: AT },
};

const events = (data: object) => ({
  type: "text/event-stream",
  schema: z.string(),
  example: `event: changes\nid: 1769860800000.5:5:\ndata: ${JSON.stringify(data)}\n\n`,
});

export const OWN_APP_OPERATIONS = {
  "GET /publish/v1/apps/<organization>/<app>/status": {
    tag: "Publish",
    summary: "Read the status of an app",
    description:
      "What an app's pages say about it: the listing, the newest review, what is missing to submit it, and what runs. Any API " +
      "key of the organization may read it.",
    parameters: APP,
    status: 200,
    answer: json(appStatus, {
      app: "acme/vin-lookup",
      title: "VIN lookup",
      state: "DRAFT",
      suspension: null,
      newest: { version: "1.4.0", publishedAt: AT, verified: false },
      verified: null,
      review: {
        id: ID,
        kind: "VERSION",
        state: "CHANGES_REQUESTED",
        version: "1.4.0",
        submittedAt: AT,
        decidedAt: AT,
        note: "Say in the launch instructions where to get a key.",
        comments: 2,
        page: `${PAGE}/reviews/${ID}`,
      },
      checklist: [{ title: "A support link", done: false, required: false, page: `${PAGE}/edit` }],
      installations: 1,
      replicas: 1,
      instances: [
        {
          version: "1.4.0",
          state: "READY",
          startedAt: AT,
          readyAt: AT,
          failingSince: null,
          reason: null,
          code: null,
        },
      ],
      failures: [],
      pages: { app: PAGE, listing: `${PAGE}/edit`, logs: `${PAGE}/logs`, marketplace: null },
    }),
    problems: REFUSED,
  },
  "GET /publish/v1/apps/<organization>/<app>/versions": {
    tag: "Publish",
    summary: "List the versions of an app",
    description: "Newest first, 50 to a page. Any API key of the organization may read them.",
    parameters: APP,
    query: versionsQuery,
    status: 200,
    answer: json(appVersions, {
      versions: [
        {
          version: "1.4.0",
          imageDigest: `sha256:${"0".repeat(64)}`,
          bytes: 48_311_296,
          publishedAt: AT,
          publishedBy: "API key CI",
          verifiedAt: null,
          review: "PENDING",
          installations: 1,
          releaseNotes: "Reads commercial vehicles too.",
        },
      ],
    }),
    problems: ["BAD_INPUT", ...REFUSED],
  },
  "POST /publish/v1/apps/<organization>/<app>/reviews": {
    tag: "Publish",
    summary: "Submit a version for review",
    description:
      "Submits the version together with the listing's text. 400 names everything that is missing in the text; 409 says why " +
      "the version can't be reviewed now. The API key needs the scope `reviews:submit`.",
    parameters: APP,
    body: json(submitVersionInput, { version: "1.4.0", note: "The test tenant is harbor-test." }),
    status: 201,
    answer: json(submittedVersion, { reviewId: ID, version: "1.4.0", page: `${PAGE}/reviews/${ID}` }),
    problems: [...BODY, ...REFUSED, "WRONG_STATE"],
  },
  "DELETE /publish/v1/apps/<organization>/<app>/reviews/<reviewId>": {
    tag: "Publish",
    summary: "Withdraw a review",
    description:
      "Before it is decided, for example to submit a newer version. The API key needs the scope `reviews:submit`.",
    parameters: { ...APP, reviewId: "The review's ID, which the app's status names." },
    status: 204,
    answer: NOTHING,
    problems: [...REFUSED, "WRONG_STATE"],
  },
  "GET /publish/v1/apps/<organization>/<app>/log": {
    tag: "Publish",
    summary: "Read the log of a version",
    description:
      "What its instances wrote, without secrets, and what happened to them. A page has the newest 200 entries that match, " +
      "oldest first; `next` leads to older ones. The API key needs the scope `logs:read`.",
    parameters: APP,
    query: logQuery,
    status: 200,
    answer: json(appLogPage, { version: "1.4.0", entries: [line], position: "1769860800000.5:5:" }),
    problems: ["BAD_INPUT", ...REFUSED],
  },
  "GET /publish/v1/apps/<organization>/<app>/log/stream": {
    tag: "Publish",
    summary: "Follow the log of a version",
    description: `${STREAM} The API key needs the scope \`logs:read\`, and can follow six lists at once.`,
    parameters: APP,
    query: logStreamQuery,
    status: 200,
    answer: events({ entries: [line], more: false }),
    problems: ["BAD_INPUT", ...REFUSED],
  },
  "GET /publish/v1/apps/<organization>/<app>/calls": {
    tag: "Publish",
    summary: "List calls of an app",
    description:
      "Calls to your organization's own installations of the app, such as its Test Launches, newest first. Calls of customers " +
      "are theirs, and not listed. The API key needs the scope `calls:read`.",
    parameters: APP,
    query: callsQuery,
    status: 200,
    answer: json(callPage, { calls: [call], position: "1769860800000.5:5:" }),
    problems: ["BAD_INPUT", ...REFUSED],
  },
  "GET /publish/v1/apps/<organization>/<app>/calls/stream": {
    tag: "Publish",
    summary: "Follow calls of an app",
    description: `${STREAM} A call is sent when it begins and again when it ends. The API key needs the scope \`calls:read\`, and can follow six lists at once.`,
    parameters: APP,
    query: callStreamQuery,
    status: 200,
    answer: events({ calls: [call], gone: [], more: false }),
    problems: ["BAD_INPUT", ...REFUSED],
  },
  "GET /publish/v1/apps/<organization>/<app>/calls/<callId>": {
    tag: "Publish",
    summary: "Read a call",
    description:
      "With its payload and its response where the organization records them, its tries, and the state that the app read. The " +
      "API key needs the scope `calls:read`.",
    parameters: { ...APP, callId: "The call's ID, as lists name it." },
    status: 200,
    answer: json(callView),
    problems: REFUSED,
  },
  "POST /publish/v1/apps/<organization>/<app>/replays": {
    tag: "Publish",
    summary: "Replay deliveries",
    description:
      "Sends failed deliveries to your own Test Launches again: up to 1,000 by their IDs, or the dead ones that a filter of the " +
      "calls shows. They keep their event's ID. The API key needs the scope `calls:replay`.",
    parameters: APP,
    body: json(appReplayInput, { deliveryIds: [ID] }),
    status: 200,
    answer: json(replayResult, { replayed: 1, skipped: 0, more: false }),
    problems: [...BODY, ...REFUSED],
  },
} as const satisfies { [Name in GatewayRoute]?: Operation };
