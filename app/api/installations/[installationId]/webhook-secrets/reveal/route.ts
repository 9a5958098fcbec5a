import { revealWebhookSecrets } from "@/lib/server/installations/webhook-secrets";
import { route } from "@/lib/server/surface/web/route";

export const POST = route("POST /api/installations/[installationId]/webhook-secrets/reveal", {
  run: ({ platform, member, params }) => revealWebhookSecrets(platform, member, params.installationId ?? ""),
});
