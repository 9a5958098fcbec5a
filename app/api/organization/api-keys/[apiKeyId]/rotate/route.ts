import { rotateApiKeyInput } from "@/lib/contract/api-key";
import { rotateApiKey } from "@/lib/server/api-keys/manage-api-keys";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/organization/api-keys/[apiKeyId]/rotate", {
  body: rotateApiKeyInput,
  created: true,
  run: ({ platform, member, params, body }) => rotateApiKey(platform, member, params.apiKeyId ?? "", body),
});
