import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createGroups, type Groups } from "../../platform/database/groups";
import type { Platform } from "../../platform/platform";
import type { SealedSecret } from "./webhook-secret-queries";
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
  const keys = await findKeys(platform, installationId);
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  return {
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

interface Known {
  keys: LRUCache<string, Promise<Buffer[]>>;
  reads: Groups<string, SealedSecret[]>;
}

const byPlatform = new WeakMap<Platform, Known>();

function findKeys(platform: Platform, installationId: string): Promise<Buffer[]> {
  const known = byPlatform.get(platform) ?? createKnown(platform);
  byPlatform.set(platform, known);
  const { keys } = known;
  const cached = keys.get(installationId);
  if (cached !== undefined) return cached;
  const reading = readKeys(platform, known, installationId).catch((error: unknown) => {
    keys.delete(installationId);
    throw error;
  });
  keys.set(installationId, reading);
  return reading;
}

function createKnown(platform: Platform): Known {
  const reads = createGroups(READS, async (ids: string[]) => {
    const rows = await readSecrets(platform, ids);
    return ids.map((id) => rows.filter((row) => row.installationId === id));
  });
  return { keys: new LRUCache({ max: 10_000, ttl: CACHE_MS }), reads };
}

async function readKeys(platform: Platform, { reads }: Known, installationId: string): Promise<Buffer[]> {
  const rows = await reads.add(installationId, installationId);
  if (rows.length === 0) throw new Error(`installation ${installationId} has no webhook secret`);
  return rows.map((row) => readSecretBytes(openSecret(platform, row)));
}
