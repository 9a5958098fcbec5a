/** The log of a version: what its instances wrote, and what happened to them. */
import { readLogFilter } from "@/lib/contract/insight/filters";
import { Problem } from "@/lib/contract/platform/problem";
import { appLogPage, logQuery, logStreamQuery } from "@/lib/contract/surface/own-app";
import { chooseVersion, listEntries } from "../../../insight/logs/read-log";
import { streamEntries } from "../../../insight/logs/stream-log";
import { keyForApp } from "./credentials";
import { eventStream, follow, STREAM } from "./event-stream";
import { json, route, SAMPLE } from "./route";

const line = {
  kind: "line",
  id: "1769860800000000-1-0000000000042",
  at: SAMPLE.at,
  instanceId: SAMPLE.id,
  stream: "stdout",
  level: "info",
  text: "listening on port 8080",
  cutBytes: 0,
};

export const log = route({
  name: "GET /publish/v1/apps/<organization>/<app>/log",
  credential: keyForApp("logs:read"),
  summary: "Read the log of a version",
  description:
    "What its instances wrote, without secrets, and what happened to them. A page has the newest 200 entries that match, " +
    "oldest first; `next` leads to older ones. The API key needs the scope `logs:read`.",
  query: logQuery,
  answer: json(appLogPage, { version: "1.4.0", entries: [line], position: "1769860800000.5:5:" }),
  run: async ({ platform, caller: { agent, app }, query: { version, before, ...filter } }) => {
    const { current } = await chooseVersion(platform.db, app.listing.id, version);
    if (current === undefined) return { version: null, entries: [] };
    const subject = { listingId: app.listing.id, versionId: current.id };
    const page = await listEntries(platform, agent, subject, readLogFilter(filter), before);
    return { version: current.number, ...page };
  },
});

export const logStream = route({
  name: "GET /publish/v1/apps/<organization>/<app>/log/stream",
  credential: keyForApp("logs:read"),
  work: "streams",
  summary: "Follow the log of a version",
  description: `${STREAM} The API key needs the scope \`logs:read\`, and can follow six lists at once.`,
  query: logStreamQuery,
  answer: eventStream({ entries: [line], more: false }),
  run: async (asked) => {
    const { platform, caller, query } = asked;
    const { agent, app } = caller;
    const { version, after, ...filter } = query;
    const following = follow(asked, after);
    const { current } = await chooseVersion(platform.db, app.listing.id, version);
    if (current === undefined)
      throw new Problem("NOT_FOUND", "This app has no version yet. Publish one first.");
    const subject = { listingId: app.listing.id, versionId: current.id };
    const events = await streamEntries(platform, agent, subject, readLogFilter(filter), following);
    return { events, signal: following.signal };
  },
});
