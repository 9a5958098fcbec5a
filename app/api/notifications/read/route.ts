import { readInput } from "@/lib/contract/platform/notification";
import { readNotifications } from "@/lib/server/platform/notifications/list-notifications";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/notifications/read", {
  body: readInput,
  run: ({ platform, actor, body }) => readNotifications(platform, actor, body),
});
