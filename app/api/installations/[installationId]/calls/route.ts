import { fireCallInput } from "@/lib/contract/installation";
import { fireCall } from "@/lib/server/installations/fire-call";
import { route } from "@/lib/server/web/route";

export const POST = route("POST /api/installations/[installationId]/calls", {
  body: fireCallInput,
  run: ({ platform, member, params, body }) => fireCall(platform, member, params.installationId ?? "", body),
});
