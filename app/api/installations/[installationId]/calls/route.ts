import { testCallInput } from "@/lib/contract/catalog/configuration";
import { sendTestCall } from "@/lib/server/installations/send-test-call";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/calls", {
  body: testCallInput,
  run: ({ platform, member, params, body }) =>
    sendTestCall(platform, member, params.installationId ?? "", body),
});
