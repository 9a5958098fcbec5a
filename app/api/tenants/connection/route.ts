import { connectionInput } from "@/lib/contract/core";
import { testConnection } from "@/lib/server/tenants/test-connection";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/tenants/connection", {
  body: connectionInput,
  run: ({ platform, member, body }) => testConnection(platform, member, body),
});
