import { preferenceInput } from "@/lib/contract/notification";
import { changePreference } from "@/lib/server/notifications/preferences";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/notifications/preferences", {
  body: preferenceInput,
  run: ({ platform, actor, body }) => changePreference(platform, actor, body),
});
