import { createHmac } from "node:crypto";
import { createGroups } from "../../platform/database/groups";
import type { Foundation, Platform } from "../../platform/platform";
import { shareReads } from "../../platform/shared-reads";
import { openSecret, readSecretBytes, readSecrets } from "./webhook-secrets";

/** How long a process uses the secrets that it read: a rotation without overlap takes this long. */
const CACHE_MS = 1_000;

const READS = { lanes: 2, items: 256 };

export interface Webhook {
  installationId: string;
  /** The same for all attempts and routes of an event, so that an app can detect duplicates. */
  eventId: string;
  body: string;
}

/**
 * Standard Webhooks headers: HMAC-SHA-256 over `<id>.<timestamp>.<body>`. There is a signature for each of the installation's
 * secrets, the current one first: a receiver accepts any of them, so a rotation doesn't break it.
 */
export async function signWebhook(
  platform: Platform,
  { installationId, eventId, body }: Webhook,
  now = new Date(),
): Promise<Record<string, string>> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const signed = `${eventId}.${timestamp}.${body}`;
  const keys = await platform.services.webhookKeys(installationId);
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  return {
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** The keys that sign an installation's webhooks. */
type WebhookKeys = (installationId: string) => Promise<Buffer[]>;

declare module "../../platform/platform" {
  interface Services {
    webhookKeys: WebhookKeys;
  }
}

export function createWebhookKeys(foundation: Foundation): WebhookKeys {
  const shared = shareReads<Buffer[]>({ max: 10_000, freshMs: CACHE_MS });
  const reads = createGroups(READS, async (ids: string[]) => {
    const rows = await readSecrets(foundation, ids);
    return ids.map((id) => rows.filter((row) => row.installationId === id));
  });

  async function read(installationId: string): Promise<Buffer[]> {
    const rows = await reads.add(installationId, installationId);
    if (rows.length === 0) throw new Error(`installation ${installationId} has no webhook secret`);
    return rows.map((row) => readSecretBytes(openSecret(foundation, row)));
  }

  return (installationId) => shared(installationId, () => read(installationId));
}
