import { apiKeyInput } from "@/lib/contract/accounts/api-key";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/organization/api-keys", {
  body: apiKeyInput,
  created: true,
  run: ({ platform, member, body }) => createApiKey(platform, member, body.name, body),
});
