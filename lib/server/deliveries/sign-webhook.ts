import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Platform } from "../platform/platform";
import type { SealedSecret } from "../webhook-secrets/queries";
import { readSecrets } from "../webhook-secrets/read-secrets";
import { openSecret, readSecretBytes } from "../webhook-secrets/store-secret";

/** How long a process may sign with what it read: a rotation without overlap takes this long. */
const CACHE_MS = 1_000;

export interface Webhook {
  installationId: string;
  /** The same for all attempts and routes of an event, so that an app can detect duplicates. */
  eventId: string;
  body: string;
}

/**
 * Standard Webhooks headers: HMAC-SHA-256 over `<id>.<timestamp>.<body>`. There is a signature for each of the installation's
 * secrets, the current one first: a receiver accepts any of them, so that it survives a rotation.
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

interface Batch {
  ids: Set<string>;
  rows: Promise<SealedSecret[]>;
}

interface Known {
  keys: LRUCache<string, Promise<Buffer[]>>;
  /** What is asked for until the event loop's next turn is read in one statement. */
  batch: Batch | undefined;
}

const byPlatform = new WeakMap<Platform, Known>();

function findKeys(platform: Platform, installationId: string): Promise<Buffer[]> {
  let known = byPlatform.get(platform);
  if (known === undefined) {
    known = { keys: new LRUCache({ max: 10_000, ttl: CACHE_MS }), batch: undefined };
    byPlatform.set(platform, known);
  }
  const cached = known.keys.get(installationId);
  if (cached !== undefined) return cached;
  const { keys } = known;
  const reading = readKeys(platform, known, installationId).catch((error: unknown) => {
    keys.delete(installationId);
    throw error;
  });
  keys.set(installationId, reading);
  return reading;
}

async function readKeys(platform: Platform, known: Known, installationId: string): Promise<Buffer[]> {
  known.batch ??= startBatch(platform, known);
  known.batch.ids.add(installationId);
  const rows = (await known.batch.rows).filter((row) => row.installationId === installationId);
  if (rows.length === 0) throw new Error(`installation ${installationId} has no webhook secret`);
  return rows.map((row) => readSecretBytes(openSecret(platform, row)));
}

function startBatch(platform: Platform, known: Known): Batch {
  const ids = new Set<string>();
  const turn = new Promise((resolve) => setImmediate(resolve));
  const rows = turn.then(() => {
    known.batch = undefined;
    return readSecrets(platform, [...ids]);
  });
  return { ids, rows };
}
