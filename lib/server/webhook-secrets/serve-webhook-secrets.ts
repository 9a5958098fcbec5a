import type { WebhookSecrets } from "@/lib/contract/webhook-secret";
import { unknownKey } from "@/lib/domain/unknown-key";
import { CHECK_ROUTE, openStateKey } from "../keys/state-key";
import type { Platform } from "../platform/platform";
import { readOpened } from "../state/read-state";
import { readSecrets } from "./read-secrets";
import { openSecret } from "./store-secret";

/**
 * The secrets that sign the webhooks of a state key's installation, for its app. Whoever has a live key may read the customer's
 * settings too, so the same keys open both. Throws the same NOT_FOUND as reading the state.
 */
export async function serveWebhookSecrets(platform: Platform, key: string): Promise<WebhookSecrets> {
  const content = openStateKey(platform.keyring, key);
  const state = content && (await readOpened(platform, content));
  // A check has no webhooks, and perhaps no installation yet.
  if (content === undefined || state === undefined || content.routeId === CHECK_ROUTE) throw unknownKey();
  const rows = await readSecrets(platform, [content.installationId]);
  return { secrets: rows.map((row) => openSecret(platform, row)) };
}
