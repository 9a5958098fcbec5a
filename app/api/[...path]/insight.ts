import { readCallFilter } from "@/lib/contract/calls/call-filter";
import { replayRequest } from "@/lib/contract/calls/gateway-answers";
import { readExportFormat } from "@/lib/contract/platform/audit-view";
import { readLogFilter, readMetricsFilter } from "@/lib/contract/insight/filters";
import { chartCalls } from "@/lib/server/insight/call-log/chart-calls";
import { exportCalls } from "@/lib/server/insight/call-log/export-calls";
import { findInstallations, listCalls, streamCalls } from "@/lib/server/insight/call-log/list-calls";
import { readCall, readDelivery, requestExcerpt } from "@/lib/server/insight/call-log/read-call";
import { replayCalls } from "@/lib/server/insight/call-log/replay-calls";
import { readMetrics } from "@/lib/server/insight/health/read-metrics";
import { listEntries } from "@/lib/server/insight/logs/read-log";
import { streamEntries, writeLogFile } from "@/lib/server/insight/logs/stream-log";
import { EXPORT_TYPES } from "@/lib/server/platform/write-rows";
import { currentZone } from "@/lib/server/surface/web/page-reads";
import { readFollowing, respondWithEvents, respondWithFile } from "@/lib/server/surface/web/responses";
import { readQuery, route } from "@/lib/server/surface/web/route";

export const insightRoutes = [
  /** Calls of the organization, newest first. `?before=<id>`: the page after that call. */
  route("GET /api/calls", {
    run: ({ platform, member, request }) => {
      const { before, ...query } = readQuery(request);
      return listCalls(platform, member, readCallFilter(query), before);
    },
  }),

  route("GET /api/calls/[attemptId]", {
    run: ({ platform, member, params }) => readCall(platform, member, params.attemptId ?? ""),
  }),

  /** Asks for the log of the call's moment. The call has it a moment later. */
  route("POST /api/calls/[attemptId]/log", {
    run: ({ platform, member, params }) => requestExcerpt(platform, member, params.attemptId ?? ""),
  }),

  route("GET /api/calls/chart", {
    run: ({ platform, member, request }) => chartCalls(platform, member, readCallFilter(readQuery(request))),
  }),

  /** What a filter shows, as a file. `?format=csv`, `jsonl` or `json`. */
  route("GET /api/calls/export", {
    run: async ({ platform, member, request }) => {
      const { format: named, ...query } = readQuery(request);
      const format = readExportFormat(named);
      const zone = await currentZone();
      const { name, parts } = await exportCalls(platform, member, readCallFilter(query), format, zone);
      return respondWithFile(parts, { name, type: EXPORT_TYPES[format] });
    },
  }),

  /** Installations that the log can be narrowed to. `?q=`: by app and tenant; `?app=`: of this app. */
  route("GET /api/calls/installations", {
    run: ({ platform, member, request }) => {
      const { q, app } = readQuery(request);
      return findInstallations(platform, member, q, readCallFilter({ app }).app);
    },
  }),

  /** Server-sent events. `?after=<position>`, or the browser's `Last-Event-ID` when it reconnects: where to go on. */
  route("GET /api/calls/stream", {
    run: async ({ platform, member, request }) => {
      const { after, ...query } = readQuery(request);
      const following = readFollowing(request, after);
      const filter = readCallFilter(query);
      return respondWithEvents(await streamCalls(platform, member, { filter, ...following }));
    },
  }),

  route("GET /api/deliveries/[deliveryId]", {
    run: ({ platform, member, params }) => readDelivery(platform, member, params.deliveryId ?? ""),
  }),

  route("POST /api/deliveries/replay", {
    body: replayRequest,
    run: ({ platform, member, body }) => replayCalls(platform, member, body),
  }),

  route("GET /api/listings/[listingId]/metrics", {
    run: ({ platform, member, params, request }) =>
      readMetrics(platform, member, params.listingId ?? "", readMetricsFilter(readQuery(request))),
  }),

  /** The log of a version. `?before=<position>`: the page before that entry. */
  route("GET /api/listings/[listingId]/versions/[versionId]/logs", {
    run: ({ platform, member, params, request }) => {
      const { before, ...query } = readQuery(request);
      const { listingId = "", versionId = "" } = params;
      return listEntries(platform, member, { listingId, versionId }, readLogFilter(query), before);
    },
  }),

  /** What the filter shows of the log of a version, as a text file. */
  route("GET /api/listings/[listingId]/versions/[versionId]/logs/file", {
    run: async ({ platform, member, params, request }) => {
      const { listingId = "", versionId = "" } = params;
      const filter = readLogFilter(readQuery(request));
      const { name, parts } = await writeLogFile(platform, member, { listingId, versionId }, filter);
      return respondWithFile(parts, { name, type: "text/plain; charset=utf-8" });
    },
  }),

  /** Server-sent events. `?after=<position>`, or the browser's `Last-Event-ID` when it reconnects: where to go on. */
  route("GET /api/listings/[listingId]/versions/[versionId]/logs/stream", {
    run: async ({ platform, member, params, request }) => {
      const { after, ...query } = readQuery(request);
      const { listingId = "", versionId = "" } = params;
      const following = readFollowing(request, after);
      const subject = { listingId, versionId };
      return respondWithEvents(
        await streamEntries(platform, member, subject, readLogFilter(query), following),
      );
    },
  }),
];
