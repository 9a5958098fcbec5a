import { apiKeyInput } from "@/lib/contract/api-key";
import { createApiKey } from "@/lib/server/api-keys/manage-api-keys";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/organization/api-keys", {
  body: apiKeyInput,
  created: true,
  run: ({ platform, member, body }) => createApiKey(platform, member, body.name, body),
});
