import { rotateInput } from "@/lib/contract/accounts/api-key";
import { listWebhookSecrets, rotateWebhookSecret } from "@/lib/server/installations/webhook-secrets";
import { route } from "@/lib/server/surface/web/route";

export const GET = route("GET /api/installations/[installationId]/webhook-secrets", {
  run: ({ platform, member, params }) => listWebhookSecrets(platform, member, params.installationId ?? ""),
});

export const POST = route("POST /api/installations/[installationId]/webhook-secrets", {
  body: rotateInput,
  run: ({ platform, member, params, body }) =>
    rotateWebhookSecret(platform, member, params.installationId ?? "", body.overlap),
});
