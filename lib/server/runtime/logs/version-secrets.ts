/** The secrets of a version's customers, as far as a worker needs them for its logs. */
import { openSecrets } from "../../calls/redact-call";
import {
  type SealedSetting,
  selectEndedChecks,
  selectLastSecretDeletion,
  selectSealedOfChecks,
  selectSealedOfVersion,
} from "../../calls/secret-queries";
import type { Platform } from "../../platform/platform";
import { createMarkFinder, type FindMarks } from "../../platform/redaction/redact-secrets";
import type { Secret } from "../../platform/redaction/secret-forms";
import { selectClock } from "./queries";

const BATCH = 100;

/** A call that was in progress when a secret was deleted may still log it. */
const LONGEST_CALL_MS = 60_000;

/** Deleted secrets are remembered for longer than that. */
const REMEMBERED_MS = 2 * LONGEST_CALL_MS;

/** The call of a check is over when the check has ended. */
const CHECK_MS = 5_000;

/** What was saved a moment before the last read may have become visible after it. */
const SLACK_MS = 5_000;

interface Memory {
  /** By installation, setting and ciphertext. */
  secrets: Map<string, { secret: Secret | undefined; seenAt: Date }>;
  /** On the database's clock. */
  readAt?: Date;
  unknownUntil?: Date;
}

export interface VersionSecrets {
  find: FindMarks;
  /** What was written until then may contain a secret that was deleted before this worker knew it. */
  unknownUntil: Date | undefined;
}

/** By version. */
type VersionMemories = Map<string, Memory>;

declare module "../../platform/platform" {
  interface Services {
    versionSecrets: VersionMemories;
  }
}

export function createVersionSecrets(): VersionMemories {
  return new Map();
}

/**
 * The secrets of all customers that a version serves now, and those that were deleted in the last minutes while this worker
 * knew them. Read again for each batch of lines, because an app may log a secret as soon as it is saved.
 */
export async function readVersionSecrets(platform: Platform, versionId: string): Promise<VersionSecrets> {
  const versions = platform.services.versionSecrets;
  const memory: Memory = versions.get(versionId) ?? { secrets: new Map() };
  versions.set(versionId, memory);
  const now = await selectClock(platform.db);
  await readSecrets(platform, versionId, memory, now);
  for (const [key, { seenAt }] of memory.secrets)
    if (now.getTime() - seenAt.getTime() > REMEMBERED_MS) memory.secrets.delete(key);
  const savedSince = memory.readAt && new Date(memory.readAt.getTime() - SLACK_MS);
  const deletedAt = await selectLastSecretDeletion(platform.db, versionId, savedSince);
  memory.readAt = now;
  if (deletedAt !== null) distrust(memory, deletedAt.getTime() + LONGEST_CALL_MS);
  const known = [...memory.secrets.keys()];
  for (const { id, endedAt } of await selectEndedChecks(platform.db, versionId))
    if (!known.some((key) => key.startsWith(id))) distrust(memory, Date.parse(endedAt) + CHECK_MS);
  const secrets = [...memory.secrets.values()].flatMap(({ secret }) =>
    secret === undefined ? [] : [secret],
  );
  return { find: createMarkFinder(secrets), unknownUntil: memory.unknownUntil };
}

/** Call it when no instance of the version runs anymore. */
export function forgetVersionSecrets(platform: Platform, versionId: string): void {
  platform.services.versionSecrets.delete(versionId);
}

async function readSecrets(platform: Platform, versionId: string, memory: Memory, now: Date): Promise<void> {
  let after: string | undefined;
  do {
    const sealed = await selectSealedOfVersion(platform.db, versionId, after, BATCH);
    for (const each of sealed) remember(platform, memory, each, now);
    after = sealed.at(-1)?.installationId;
  } while (after !== undefined);
  for (const each of await selectSealedOfChecks(platform.db, versionId))
    remember(platform, memory, each, now);
}

function remember(platform: Platform, memory: Memory, sealed: SealedSetting, seenAt: Date): void {
  const key = `${sealed.installationId} ${sealed.name} ${sealed.sealed}`;
  const known = memory.secrets.get(key);
  const secret = known === undefined ? openSecrets(platform, [sealed])[0] : known.secret;
  memory.secrets.set(key, { secret, seenAt });
}

/** What was written until then may contain a secret that was never seen here. */
function distrust(memory: Memory, untilMs: number): void {
  memory.unknownUntil = new Date(Math.max(untilMs, memory.unknownUntil?.getTime() ?? 0));
}
