import { rotateInput } from "@/lib/contract/accounts/api-key";
import { rotateCoreCredential } from "@/lib/server/installations/tenants/credentials";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/tenants/[tenantId]/core-credentials", {
  body: rotateInput,
  run: ({ platform, member, params, body }) =>
    rotateCoreCredential(platform, member, params.tenantId ?? "", body.overlap),
});
