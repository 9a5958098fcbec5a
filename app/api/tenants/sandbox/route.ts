import { connectSandbox } from "@/lib/server/tenants/connect-sandbox";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/tenants/sandbox", {
  run: ({ platform, member }) => connectSandbox(platform, member),
});
