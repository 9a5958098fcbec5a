import { notificationFilter } from "@/lib/contract/platform/notification";
import { listNotifications } from "@/lib/server/platform/notifications/list-notifications";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** How many the bell shows. */
const NEWEST = 8;

export const GET = route("GET /api/notifications", {
  run: ({ platform, actor, request }) =>
    listNotifications(platform, actor, notificationFilter.parse(readQuery(request)), undefined, NEWEST),
});
