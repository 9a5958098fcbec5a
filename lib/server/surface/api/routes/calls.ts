/** Calls of an app to the organization's own installations, and deliveries that are sent again. */
import { readCallFilter } from "@/lib/contract/calls/call-filter";
import { replayResult } from "@/lib/contract/calls/gateway-answers";
import { callPage, callView } from "@/lib/contract/insight/call";
import { appReplayInput, callsQuery, callStreamQuery } from "@/lib/contract/surface/own-app";
import { listCalls, streamCalls } from "../../../insight/call-log/list-calls";
import { readCall } from "../../../insight/call-log/read-call";
import { replayCalls } from "../../../insight/call-log/replay-calls";
import { keyForApp } from "./credentials";
import { eventStream, follow, STREAM } from "./event-stream";
import { json, route, SAMPLE } from "./route";

const { id, at } = SAMPLE;
const call = {
  id,
  attemptId: id,
  kind: "webhook",
  target: "POST /events",
  eventType: "policy.issued",
  at,
  durationMs: 12,
  status: 500,
  failure: "It returned 500.",
  test: false,
  dueAt: null,
  heldBy: null,
  installation: { id, title: "VIN lookup", tenant: "Sandbox", test: true, trial: false },
  delivery: { id, state: "DEAD", attemptCount: 12, nextAttemptAt: at },
};

export const calls = route({
  name: "GET /publish/v1/apps/<organization>/<app>/calls",
  credential: keyForApp("calls:read"),
  summary: "List calls of an app",
  description:
    "Calls to your organization's own installations of the app, such as its Test Launches, newest first. Calls of customers " +
    "are theirs, and not listed. The API key needs the scope `calls:read`.",
  query: callsQuery,
  answer: json(callPage, { calls: [call], position: "1769860800000.5:5:" }),
  run: ({ platform, caller: { agent, app }, query: { before, ...filter } }) =>
    listCalls(platform, agent, { ...readCallFilter(filter), app: app.name }, before),
});

export const callStream = route({
  name: "GET /publish/v1/apps/<organization>/<app>/calls/stream",
  credential: keyForApp("calls:read"),
  work: "streams",
  summary: "Follow calls of an app",
  description: `${STREAM} A call is sent when it begins and again when it ends. The API key needs the scope \`calls:read\`, and can follow six lists at once.`,
  query: callStreamQuery,
  answer: eventStream({ calls: [call], gone: [], more: false }),
  run: async (asked) => {
    const { platform, caller, query } = asked;
    const { after, ...shown } = query;
    const following = follow(asked, after);
    const filter = { ...readCallFilter(shown), app: caller.app.name };
    const events = await streamCalls(platform, caller.agent, { filter, ...following });
    return { events, signal: following.signal };
  },
});

export const callDetails = route({
  name: "GET /publish/v1/apps/<organization>/<app>/calls/<callId>",
  credential: keyForApp("calls:read"),
  summary: "Read a call",
  description:
    "With its payload and its response where the organization records them, its tries, and the state that the app read. The " +
    "API key needs the scope `calls:read`.",
  parameters: { callId: "The call's ID, from a list of calls." },
  answer: json(callView),
  run: ({ platform, caller: { agent, app }, parts: [, , callId = ""] }) =>
    readCall(platform, agent, callId, app.listing.id),
});

export const replay = route({
  name: "POST /publish/v1/apps/<organization>/<app>/replays",
  credential: keyForApp("calls:replay"),
  summary: "Replay deliveries",
  description:
    "Sends failed deliveries to your own Test Launches again: up to 1,000 by their IDs, or the dead ones that a filter of the " +
    "calls shows. They keep their event's ID. The API key needs the scope `calls:replay`.",
  body: json(appReplayInput, { deliveryIds: [id] }),
  answer: json(replayResult, { replayed: 1, skipped: 0, more: false }),
  run: ({ platform, caller: { agent, app }, body }) => {
    const selection = "filter" in body ? { filter: readCallFilter(body.filter) } : body;
    return replayCalls(platform, agent, selection, { listingId: app.listing.id, name: app.name });
  },
});
