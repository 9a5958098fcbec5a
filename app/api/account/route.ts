import { profileInput } from "@/lib/contract/account";
import { changeName } from "@/lib/server/account/change-profile";
import { route } from "@/lib/server/web/route";

export const PUT = route("PUT /api/account", {
  body: profileInput,
  run: ({ platform, actor, body }) => changeName(platform, actor, body.name),
});
