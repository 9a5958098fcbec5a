import { readInput } from "@/lib/contract/notification";
import { readNotifications } from "@/lib/server/notifications/list-notifications";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/notifications/read", {
  body: readInput,
  run: ({ platform, actor, body }) => readNotifications(platform, actor, body),
});
