import { rotateInput } from "@/lib/contract/overlap";
import { rotateCoreCredential } from "@/lib/server/tenants/rotate-core-credential";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/tenants/[tenantId]/core-credentials", {
  body: rotateInput,
  run: ({ platform, member, params, body }) =>
    rotateCoreCredential(platform, member, params.tenantId ?? "", body.overlap),
});
