import { revokeApiKey } from "@/lib/server/api-keys/revoke-api-key";
import { route } from "@/lib/server/web/route";

export const DELETE = route("DELETE /api/organization/api-keys/[apiKeyId]", {
  run: ({ platform, member, params }) => revokeApiKey(platform, member, params.apiKeyId ?? ""),
});
