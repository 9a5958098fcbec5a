/** What is checked after a restoration, against the restored database and store themselves. */
import { createReadStream } from "node:fs";
import { openSecret, readSecrets } from "../../calls/deliveries/webhook-secrets";
import { openStore, verifyBlob } from "../../images/blob-store";
import { oldArchivePath } from "../../images/open-archive";
import { countWrappedKeys, selectWrappedKeys } from "../../platform/key-queries";
import { KEY_NOUNS, KEY_PURPOSES, unwrapOnce } from "../../platform/keyring";
import type { Platform } from "../../platform/platform";
import { listAuditChains, listLostTrails, verifyAudit } from "../../platform/verify-audit";
import type { BackupBlob, BackupManifest } from "./backup-format";
import { selectSecretHolders } from "./backup-queries";
import { count, megabytes } from "./write-backup";

export interface Check {
  name: "keys" | "secrets" | "audit" | "images";
  /** What is wrong; empty if nothing is. */
  faults: string[];
  /** What was checked. */
  checked: string;
}

const MOST_KEYS = 100_000;
/** Each organization has a data key of its own, so one secret of each shows that its secrets open. */
const MOST_SECRETS = 1_000;

export async function* verifyRestored(platform: Platform, manifest: BackupManifest): AsyncGenerator<Check> {
  yield await verifyKeys(platform);
  yield await verifySecrets(platform);
  yield await verifyTrails(platform);
  yield await verifyImages(platform, manifest);
}

async function verifyKeys({ db, keyring }: Platform): Promise<Check> {
  const faults: string[] = [];
  let opened = 0;
  for (const purpose of KEY_PURPOSES)
    for (const { masterKeyId } of await countWrappedKeys(db, purpose))
      for (const row of await selectWrappedKeys(db, purpose, masterKeyId, MOST_KEYS))
        try {
          unwrapOnce(keyring, purpose, row.id, row);
          opened += 1;
        } catch {
          faults.push(
            `the ${KEY_NOUNS[purpose]} ${row.id} doesn't open with the master key '${masterKeyId}'`,
          );
        }
  return { name: "keys", faults, checked: `${count(opened, "key")} opened with the master keys` };
}

async function verifySecrets(platform: Platform): Promise<Check> {
  const holders = await selectSecretHolders(platform.db, MOST_SECRETS);
  const faults: string[] = [];
  let opened = 0;
  for (const row of await readSecrets(platform, holders))
    try {
      openSecret(platform, row);
      opened += 1;
    } catch {
      faults.push(`the webhook secret of installation ${row.installationId} doesn't open`);
    }
  return { name: "secrets", faults, checked: `${count(opened, "webhook secret")} opened` };
}

async function verifyTrails(platform: Platform): Promise<Check> {
  const faults: string[] = [];
  const chains = await listAuditChains(platform);
  let rows = 0;
  for (const chain of chains) {
    const result = await verifyAudit(platform, chain);
    if (result.intact) rows += result.rows;
    else faults.push(`the trail ${chain} is broken at row ${result.position}: ${result.reason}`);
  }
  for (const organization of await listLostTrails(platform))
    faults.push(`the organization ${organization} has no audit trail`);
  return {
    name: "audit",
    faults,
    checked: `${count(chains.length, "audit trail")} with ${count(rows, "row")}`,
  };
}

async function verifyImages({ environment }: Platform, { blobs }: BackupManifest): Promise<Check> {
  const store = openStore(environment);
  const read = ({ kind, digest }: BackupBlob) =>
    kind === "archive"
      ? verifyBlob({ kind: "blob", digest }, createReadStream(oldArchivePath(environment, digest)))
      : store.read({ kind, digest });
  const faults: string[] = [];
  let bytes = 0;
  for (const blob of blobs)
    try {
      for await (const chunk of await read(blob)) bytes += chunk.length;
    } catch (error) {
      faults.push(`${blob.digest}: ${error instanceof Error ? error.message : String(error)}`);
    }
  return { name: "images", faults, checked: `${count(blobs.length, "blob")} with ${megabytes(bytes)}` };
}
