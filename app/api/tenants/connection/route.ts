import { connectionInput } from "@/lib/contract/platform/core";
import { testConnection } from "@/lib/server/installations/tenants/test-connection";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/tenants/connection", {
  body: connectionInput,
  run: ({ platform, member, body }) => testConnection(platform, member, body),
});
