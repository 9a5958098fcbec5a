import { auditFilter, readExportFormat, readPosition } from "@/lib/contract/platform/audit-view";
import type { PlatformAddresses } from "@/lib/contract/surface/addresses";
import { notificationFilter, preferenceInput, readInput } from "@/lib/contract/platform/notification";
import { readAvailability } from "@/lib/server/platform/database/availability";
import { listNotifications, readNotifications } from "@/lib/server/platform/notifications/list-notifications";
import { changePreference, unsubscribe } from "@/lib/server/platform/notifications/preferences";
import { exportAudit, findActors, writeExport } from "@/lib/server/platform/read-audit";
import { verifyAuditStep } from "@/lib/server/platform/verify-audit";
import { EXPORT_TYPES, nameExport } from "@/lib/server/platform/write-rows";
import { findAnything } from "@/lib/server/surface/find-anything";
import { currentZone } from "@/lib/server/surface/web/page-reads";
import { respondWithFile, respondWithHealth, toAddresses } from "@/lib/server/surface/web/responses";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** How many the bell shows. */
const NEWEST = 8;

export const platformRoutes = [
  /** The same as `GET /ready`. */
  route("GET /api/health", { withoutSession: true, run: ({ platform }) => respondWithHealth(platform) }),

  /** What open pages ask every few seconds. All pages together cost one statement a second at most. */
  route("GET /api/availability", { withoutSession: true, run: ({ platform }) => readAvailability(platform) }),

  /** Where the gateway is, for a command line that knows only this address. */
  route("GET /api/platform", { run: ({ platform }): PlatformAddresses => toAddresses(platform.environment) }),

  /** Who acted in the trail. `?q=`: by name. */
  route("GET /api/moderation/audit/actors", {
    run: ({ platform, request }) => findActors(platform, "moderators", readQuery(request).q),
  }),

  /** What the filters show, as a file. `?format=csv`, `jsonl` or `json`. */
  route("GET /api/moderation/audit/export", {
    run: async ({ platform, request }) => {
      const { format: named, ...filter } = readQuery(request);
      const format = readExportFormat(named);
      const zone = await currentZone();
      const parsed = auditFilter.parse(filter);
      const pages = exportAudit(platform, "moderators", parsed, zone);
      const { from, to } = parsed;
      const name = nameExport({ owner: "platform", what: "audit", from, to, format }, zone);
      const head = { name, type: EXPORT_TYPES[format] };
      return respondWithFile(writeExport(pages, format, zone), head);
    },
  }),

  /** One page of the trail after `?after=<position>`. */
  route("GET /api/moderation/audit/verification", {
    run: ({ platform, request }) =>
      verifyAuditStep(platform, "platform", readPosition(readQuery(request).after)),
  }),

  route("GET /api/notifications", {
    run: ({ platform, actor, request }) =>
      listNotifications(platform, actor, notificationFilter.parse(readQuery(request)), undefined, NEWEST),
  }),

  /** What the command palette finds. `?q=`: as typed. */
  route("GET /api/search", {
    run: ({ platform, actor, request }) => findAnything(platform, actor, readQuery(request).q),
  }),

  route("PUT /api/notifications/preferences", {
    body: preferenceInput,
    run: ({ platform, actor, body }) => changePreference(platform, actor, body),
  }),

  route("POST /api/notifications/read", {
    body: readInput,
    run: ({ platform, actor, body }) => readNotifications(platform, actor, body),
  }),

  /** Who acted in the trail. `?q=`: by name. */
  route("GET /api/organization/audit/actors", {
    run: ({ platform, member, request }) =>
      findActors(platform, { organizationId: member.organization.id }, readQuery(request).q),
  }),

  /** What the filters show, as a file. `?format=csv`, `jsonl` or `json`. */
  route("GET /api/organization/audit/export", {
    run: async ({ platform, member, request }) => {
      const { format: named, ...filter } = readQuery(request);
      const format = readExportFormat(named);
      const zone = await currentZone();
      const scope = { organizationId: member.organization.id };
      const parsed = auditFilter.parse(filter);
      const pages = exportAudit(platform, scope, parsed, zone);
      const { from, to } = parsed;
      const owner = member.organization.slug;
      const head = {
        name: nameExport({ owner, what: "audit", from, to, format }, zone),
        type: EXPORT_TYPES[format],
      };
      return respondWithFile(writeExport(pages, format, zone), head);
    },
  }),

  /** One page of the trail after `?after=<position>`. */
  route("GET /api/organization/audit/verification", {
    run: ({ platform, member, request }) =>
      verifyAuditStep(platform, member.organization.id, readPosition(readQuery(request).after)),
  }),

  /** A person who opens the link chooses on a page, because mail scanners open links too. */
  route("GET /api/unsubscribe/[token]", {
    run: () => new Response(null, { status: 303, headers: { location: "/account/notifications" } }),
  }),

  /** Mail readers send it when a person unsubscribes with one click (RFC 8058). */
  route("POST /api/unsubscribe/[token]", {
    anyOrigin: true,
    run: ({ platform, params }) => unsubscribe(platform, params.token ?? ""),
  }),
];
