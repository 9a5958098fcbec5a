import { rotateApiKeyInput } from "@/lib/contract/accounts/api-key";
import { rotateApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/organization/api-keys/[apiKeyId]/rotate", {
  body: rotateApiKeyInput,
  created: true,
  run: ({ platform, member, params, body }) => rotateApiKey(platform, member, params.apiKeyId ?? "", body),
});
