import { profileInput } from "@/lib/contract/accounts/account";
import { changeName } from "@/lib/server/accounts/change-profile";
import { route } from "@/lib/server/surface/web/route";

export const PUT = route("PUT /api/account", {
  body: profileInput,
  run: ({ platform, actor, body }) => changeName(platform, actor, body.name),
});
