import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { PulledDraft } from "@/lib/contract/manifest-draft";
import { findCredentials } from "./credentials";
import type { CliEnvironment } from "./environment";
import { EXIT, Failure, visible } from "./failure";
import { pullDraft } from "./manifest-api";
import { appNameOf, findManifestFile, type ManifestFile } from "./manifest-file";
import { digestOf, readSynced, writeSynced, type SyncedPlace } from "./synced-manifests";
import type { Terminal } from "./terminal";

export interface SyncOptions {
  manifest: string;
  app?: string;
  force?: boolean;
}

/** Takes the platform's draft over into the file, unless the file holds changes that would be lost. */
export async function pullManifest(
  environment: CliEnvironment,
  terminal: Terminal,
  options: SyncOptions,
): Promise<void> {
  const credentials = await findCredentials(environment);
  const local = await findManifestFile(options.manifest);
  const app = appNameOf(local?.text, options.app);
  const draft = await pullDraft(credentials, app);
  const bytes = bytesOf(draft);
  const place: SyncedPlace = { url: credentials.url, app, file: path.resolve(options.manifest) };
  if (local?.bytes.equals(bytes) === true) {
    await writeSynced(environment.syncedFile, place, draft.revision, bytes);
    terminal.result(`${options.manifest} is up to date (${describe(draft)}).`);
    return;
  }
  if (local !== undefined && (await isEdited(environment, place, local))) {
    if (options.force !== true) throw wouldLose(options.manifest);
    await writeFile(`${place.file}.orig`, local.bytes);
    terminal.note(`Your own is kept as ${options.manifest}.orig`);
  }
  await writeFile(place.file, bytes);
  await writeSynced(environment.syncedFile, place, draft.revision, bytes);
  terminal.result(`Pulled  ${app} into ${options.manifest} (${describe(draft)})`);
}

async function isEdited(
  { syncedFile }: CliEnvironment,
  place: SyncedPlace,
  { bytes }: ManifestFile,
): Promise<boolean> {
  return (await readSynced(syncedFile, place))?.sha256 !== digestOf(bytes);
}

/** Half of a surrogate pair has no bytes in UTF-8: it would come back as another character. */
function bytesOf({ text }: PulledDraft): Buffer {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.toString("utf8") === text) return bytes;
  const detail = "The draft holds half of a surrogate pair, which no file of text can hold.";
  throw new Failure(`${detail} Open the manifest's editor in the browser, and remove it where it is marked.`);
}

function describe({ revision, updatedAt, updatedBy, source }: PulledDraft): string {
  if (source === "new") return "a new manifest: nothing was saved or published yet";
  if (source === "version") return "as last published: no draft was saved since";
  const when = updatedAt === null ? "" : `, ${updatedAt.slice(0, 16).replace("T", " ")} UTC`;
  return visible(`revision ${revision}, by ${updatedBy ?? "somebody"}${when}`);
}

function wouldLose(file: string): Failure {
  const message = `${file} has changes that the platform does not have, and a pull would lose them. Nothing was changed.`;
  return new Failure(message, [], EXIT.failed, [
    "Send yours:           platform-app manifest push",
    `Take the platform's:  platform-app manifest pull --force   (keeps yours as ${file}.orig)`,
  ]);
}
