import { revokeApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { route } from "@/lib/server/surface/web/route";

export const DELETE = route("DELETE /api/organization/api-keys/[apiKeyId]", {
  run: ({ platform, member, params }) => revokeApiKey(platform, member, params.apiKeyId ?? ""),
});
