import { openSecrets } from "../calls/read-secrets";
import { redactionOf } from "../calls/redact-secrets";
import type { Platform } from "../platform/platform";
import type { Runtime } from "../runtimes/runtime";
import { selectSealedOfVersion } from "./queries";

const KEPT_BYTES = 8 * 1024;

/** More is read than is kept, so that a secret that the beginning cuts through is left out with what is not kept. */
const READ_BYTES = 4 * KEPT_BYTES;

const BATCH = 100;

/**
 * The end of an instance's log as it may be kept and shown to its publisher: without the secrets of any customer whom
 * the version serves. Installations come in batches: there may be thousands.
 */
export async function readLogTail(
  platform: Platform,
  runtime: Runtime,
  handle: string,
  versionId: string,
): Promise<string> {
  const read = (bytes: number) => runtime.logTail(handle, bytes).catch(() => "");
  let text = await read(READ_BYTES);
  const cut = (await read(2 * READ_BYTES)).length > text.length ? "start" : undefined;
  for (let after: string | undefined; text !== "";) {
    const sealed = await selectSealedOfVersion(platform.db, versionId, after, BATCH);
    if (sealed.length === 0) break;
    text = redactionOf(openSecrets(platform, sealed))(text, cut);
    after = sealed.at(-1)?.installationId;
  }
  return Buffer.from(text)
    .subarray(-KEPT_BYTES)
    .toString("utf8")
    .replace(/^\uFFFD+/, "");
}
