import { openSecrets } from "../../calls/redact-call";
import { selectLastSecretDeletion, selectSealedOfVersion } from "../../calls/secret-queries";
import type { Platform } from "../../platform/platform";
import { createRedaction } from "../../platform/redaction/redact-secrets";
import type { Runtime } from "../engines/runtime";

const STORED_BYTES = 8 * 1024;

/** The rest of a line that was cut. It may be the end of a state key, which can't be recognized by its end. */
const CUT_LINE = /^[^\n]{1,4096}\n?/;

/** A call that was in progress when a secret was deleted may still log it. */
const LONGEST_CALL_MS = 60_000;

const BATCH = 100;

/**
 * The end of an instance's log, to store and show to the publisher, without secrets. Empty if it can't be read or cleaned: an instance
 * ends without it too.
 */
export async function readLogTail(
  platform: Platform,
  runtime: Runtime,
  handle: string,
  versionId: string,
): Promise<string> {
  const read: ReadLog = (bytes, since) => runtime.logTail(handle, bytes, since).catch(() => "");
  try {
    return (await readWithoutSecrets(platform, versionId, read, STORED_BYTES)).text;
  } catch (error) {
    platform.log.warn({ err: error, versionId }, "the end of an app's log could not be read");
    return "";
  }
}

/** The end of a log: at most `bytes`, with nothing that was written before `since`. */
type ReadLog = (bytes: number, since?: Date) => Promise<string>;

export interface ReadText {
  text: string;
  /** The log is longer than this text. */
  cut: boolean;
}

/**
 * At most `bytes` of a log, without state keys, tokens, and the secrets of any customer that the version serves. Text
 * from before a customer's secret was deleted is left out, because that secret can't be found in it anymore. Reads
 * installations in batches, because there may be thousands.
 */
export async function readWithoutSecrets(
  platform: Platform,
  versionId: string,
  read: ReadLog,
  bytes: number,
): Promise<ReadText> {
  const deletedAt = await selectLastSecretDeletion(platform.db, versionId);
  const since = deletedAt === null ? undefined : new Date(deletedAt.getTime() + LONGEST_CALL_MS);
  // Reads more than it returns, so that a secret cut in half at the start falls into the part that is left out.
  const end = await read(4 * bytes, since);
  const cut = (await read(8 * bytes)).length > end.length ? "start" : undefined;
  let text = cut === undefined ? end : end.replace(CUT_LINE, "");
  let after: string | undefined;
  do {
    const sealed = await selectSealedOfVersion(platform.db, versionId, after, BATCH);
    text = createRedaction(openSecrets(platform, sealed))(text, cut);
    after = sealed.at(-1)?.installationId;
  } while (after !== undefined && text !== "");
  const clean = Buffer.from(text);
  const returned = clean
    .subarray(-bytes)
    .toString("utf8")
    .replace(/^\uFFFD+/, "");
  return { text: returned, cut: cut !== undefined || clean.length > bytes };
}
