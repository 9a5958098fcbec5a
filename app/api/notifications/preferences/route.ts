import { preferenceInput } from "@/lib/contract/platform/notification";
import { changePreference } from "@/lib/server/platform/notifications/preferences";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/notifications/preferences", {
  body: preferenceInput,
  run: ({ platform, actor, body }) => changePreference(platform, actor, body),
});
