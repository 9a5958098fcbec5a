import { Refusal } from "./call-platform";
import { findCredentials } from "./credentials";
import type { CliEnvironment } from "./environment";
import { EXIT, Failure, issueLines } from "./failure";
import { pushDraft } from "./manifest-api";
import { appNameOf, readManifestFile } from "./manifest-file";
import type { SyncOptions } from "./pull-manifest";
import { readSynced, writeSynced } from "./synced-manifests";
import type { Terminal } from "./terminal";

/** Saves the file as the platform's draft, errors and all, unless the draft changed since the last pull or push. */
export async function pushManifest(
  environment: CliEnvironment,
  terminal: Terminal,
  options: SyncOptions,
): Promise<void> {
  const credentials = await findCredentials(environment);
  const { file, bytes, text } = await readManifestFile(options.manifest);
  const app = appNameOf(text, options.app);
  const place = { url: credentials.url, app, file };
  const known = (await readSynced(environment.syncedFile, place))?.revision ?? 0;
  const input = { text, revision: options.force === true ? null : known };
  const { revision, issues } = await pushDraft(credentials, app, input).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === "STALE_REVISION" ? behind(error, options) : error;
  });
  await writeSynced(environment.syncedFile, place, revision, bytes);
  for (const line of issueLines(issues, options.manifest)) terminal.note(line);
  const errors = issues.filter(({ severity }) => severity !== "warning").length;
  if (errors > 0) terminal.note("It is saved all the same. Publishing waits until the errors are mended.");
  terminal.result(`Pushed  ${app} from ${options.manifest} (revision ${revision})`);
}

function behind({ message }: Refusal, { manifest }: SyncOptions): Failure {
  return new Failure(message, [], EXIT.failed, [
    `Take theirs first:  platform-app manifest pull --force   (keeps yours as ${manifest}.orig), then push again`,
    "Overwrite theirs:   platform-app manifest push --force",
  ]);
}
