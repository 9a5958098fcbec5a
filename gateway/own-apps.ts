/** What publishers' tools do with the apps of their organization. */
import type { z } from "zod";
import { readCallFilter } from "@/lib/contract/calls/call-filter";
import { readLogFilter } from "@/lib/contract/insight/filters";
import { checkInput, Problem } from "@/lib/contract/platform/problem";
import {
  appReplayInput,
  callsQuery,
  callStreamQuery,
  logQuery,
  logStreamQuery,
  submitVersionInput,
  versionsQuery,
} from "@/lib/contract/surface/own-app";
import type { KeyAgent } from "@/lib/domain/platform/actor";
import { type KeyHolder, toAgent } from "@/lib/server/accounts/credentials/authenticate-api-key";
import type { Following } from "@/lib/server/accounts/live-list";
import { listCalls, streamCalls } from "@/lib/server/insight/call-log/list-calls";
import { readCall } from "@/lib/server/insight/call-log/read-call";
import { replayCalls } from "@/lib/server/insight/call-log/replay-calls";
import { chooseVersion, listEntries } from "@/lib/server/insight/logs/read-log";
import { streamEntries } from "@/lib/server/insight/logs/stream-log";
import {
  findApp,
  listVersions,
  type OwnApp,
  readStatus,
  submitVersion,
  withdrawVersion,
} from "@/lib/server/surface/api/own-apps";
import { answerEvents, answerJson, type Exchange, untilClosed } from "./answer";
import { readJson } from "./read-json";

interface Asked extends Exchange {
  agent: KeyAgent;
  app: OwnApp;
}

type Answer = (exchange: Exchange, holder: KeyHolder) => Promise<void>;

/** Finds the app that the path names, before anything of the request is read. */
function aboutApp(answer: (asked: Asked) => Promise<void>): Answer {
  return async (exchange, holder) => {
    const agent = toAgent(holder);
    const app = await findApp(exchange.platform, agent, exchange.parts);
    await answer({ ...exchange, agent, app });
  };
}

export const answerStatus = aboutApp(async ({ platform, response, app }) =>
  answerJson(response, 200, await readStatus(platform, app)),
);

export const answerVersions = aboutApp(async ({ platform, response, app, query }) => {
  const { before } = readQuery(versionsQuery, query);
  answerJson(response, 200, await listVersions(platform, app, before));
});

export const answerSubmission = aboutApp(async ({ platform, request, response, agent, app }) => {
  const input = await readJson(request, submitVersionInput);
  answerJson(response, 201, await submitVersion(platform, agent, app, input));
});

export const answerWithdrawal = aboutApp(async ({ platform, response, agent, app, parts }) => {
  await withdrawVersion(platform, agent, app, parts[2] ?? "");
  response.writeHead(204, { "cache-control": "no-store" }).end();
});

export const answerLog = aboutApp(async ({ platform, response, agent, app, query }) => {
  const { version, before, ...filter } = readQuery(logQuery, query);
  const { current } = await chooseVersion(platform.db, app.listing.id, version);
  if (current === undefined) return answerJson(response, 200, { version: null, entries: [] });
  const subject = { listingId: app.listing.id, versionId: current.id };
  const page = await listEntries(platform, agent, subject, readLogFilter(filter), before);
  answerJson(response, 200, { version: current.number, ...page });
});

export const answerLogStream = aboutApp(async (asked) => {
  const { platform, response, agent, app, query } = asked;
  const { version, after, ...filter } = readQuery(logStreamQuery, query);
  const following = follow(asked, after);
  const { current } = await chooseVersion(platform.db, app.listing.id, version);
  if (current === undefined)
    throw new Problem("NOT_FOUND", "This app has no version yet. Publish one first.");
  const subject = { listingId: app.listing.id, versionId: current.id };
  const events = await streamEntries(platform, agent, subject, readLogFilter(filter), following);
  await answerEvents(response, events, following.signal);
});

export const answerCalls = aboutApp(async ({ platform, response, agent, app, query }) => {
  const { before, ...filter } = readQuery(callsQuery, query);
  const shown = { ...readCallFilter(filter), app: app.name };
  answerJson(response, 200, await listCalls(platform, agent, shown, before));
});

export const answerCallStream = aboutApp(async (asked) => {
  const { platform, response, agent, app, query } = asked;
  const { after, ...shown } = readQuery(callStreamQuery, query);
  const following = follow(asked, after);
  const filter = { ...readCallFilter(shown), app: app.name };
  await answerEvents(
    response,
    await streamCalls(platform, agent, { filter, ...following }),
    following.signal,
  );
});

export const answerCallDetails = aboutApp(async ({ platform, response, agent, app, parts }) =>
  answerJson(response, 200, await readCall(platform, agent, parts[2] ?? "", app.listing.id)),
);

export const answerReplay = aboutApp(async ({ platform, request, response, agent, app }) => {
  const input = await readJson(request, appReplayInput);
  const replay = "filter" in input ? { filter: readCallFilter(input.filter) } : input;
  const only = { listingId: app.listing.id, name: app.name };
  answerJson(response, 200, await replayCalls(platform, agent, replay, only));
});

/** Where a stream goes on, and what ends it. Throws UNAVAILABLE if the gateway is stopping: another one takes over. */
function follow({ request, response, isDraining }: Exchange, after: string | undefined): Following {
  if (isDraining) throw new Problem("UNAVAILABLE", "This gateway is restarting. Connect again in a moment.");
  const last = request.headers["last-event-id"];
  return { after: typeof last === "string" ? last : after, signal: untilClosed(response) };
}

/** Throws BAD_INPUT for parameters that are unknown or not valid. The last value of a repeated one counts. */
function readQuery<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  return checkInput(schema, Object.fromEntries(query));
}
