import { connectSandbox } from "@/lib/server/installations/tenants/connect-sandbox";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/tenants/sandbox", {
  run: ({ platform, member }) => connectSandbox(platform, member),
});
