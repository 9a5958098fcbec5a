import { isError } from "@/lib/contract/problem";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import {
  type PulledDraft,
  pulledDraft,
  type PushDraftInput,
  pushedDraft,
  type PushedDraft,
} from "@/lib/contract/manifest-draft";
import { type Credentials, findCredentials } from "./credentials";
import type { CliEnvironment, Terminal } from "./environment";
import { EXIT, Failure, issueLines, visible } from "./failure";
import { getAppName, findManifestFile, type ManifestFile, readManifestFile } from "./manifest-file";
import { digest, readSynced, type SyncedFile, writeSynced } from "./synced-manifests";
import { call, PlatformProblem } from "./call-platform";

export interface SyncOptions {
  manifest: string;
  app?: string;
  force?: boolean;
}

/** Writes the platform's draft into the file, unless that would lose local changes. */
export async function pullManifest(
  environment: CliEnvironment,
  terminal: Terminal,
  options: SyncOptions,
): Promise<void> {
  const credentials = await findCredentials(environment);
  const local = await findManifestFile(options.manifest);
  const app = getAppName(local?.text, options.app);
  const draft = await pullDraft(credentials, app);
  const bytes = toBytes(draft);
  const target: SyncedFile = { url: credentials.url, app, file: path.resolve(options.manifest) };
  if (local?.bytes.equals(bytes) === true) {
    await writeSynced(environment.syncedFile, target, draft.revision, bytes);
    terminal.result(`${options.manifest} is up to date (${describe(draft)}).`);
    return;
  }
  if (local !== undefined && (await isEdited(environment, target, local))) {
    if (options.force !== true) throw wouldLose(options.manifest);
    await writeFile(`${target.file}.orig`, local.bytes);
    terminal.note(`Your version is saved as ${options.manifest}.orig`);
  }
  await writeFile(target.file, bytes);
  await writeSynced(environment.syncedFile, target, draft.revision, bytes);
  terminal.result(`Pulled  ${app} into ${options.manifest} (${describe(draft)})`);
}

async function isEdited(
  { syncedFile }: CliEnvironment,
  target: SyncedFile,
  { bytes }: ManifestFile,
): Promise<boolean> {
  return (await readSynced(syncedFile, target))?.sha256 !== digest(bytes);
}

/** UTF-8 cannot encode half of a surrogate pair; it would come back as another character. */
function toBytes({ text }: PulledDraft): Buffer {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.toString("utf8") === text) return bytes;
  const detail =
    "The draft contains a broken character (half of a surrogate pair), which a text file cannot store.";
  throw new Failure(`${detail} Open the manifest editor in the browser and remove the marked character.`);
}

function describe({ revision, updatedAt, updatedBy, source }: PulledDraft): string {
  if (source === "new") return "a new manifest: nothing has been saved or published yet";
  if (source === "version") return "as last published: no draft has been saved since";
  const when = updatedAt === null ? "" : `, ${updatedAt.slice(0, 16).replace("T", " ")} UTC`;
  return visible(`revision ${revision}, by ${updatedBy ?? "unknown"}${when}`);
}

function wouldLose(file: string): Failure {
  const message = `${file} has local changes that a pull would overwrite. Nothing was changed.`;
  return new Failure(message, [], EXIT.failed, [
    "Upload yours:         platform-app manifest push",
    `Use the platform's:   platform-app manifest pull --force   (saves yours as ${file}.orig)`,
  ]);
}

/** `name`: `<org-name>/<app-name>`. */
function pullDraft(credentials: Credentials, name: string): Promise<PulledDraft> {
  return call(credentials, pulledDraft, draftPath(name), { method: "GET" });
}

function pushDraft(credentials: Credentials, name: string, input: PushDraftInput): Promise<PushedDraft> {
  const headers = { "content-type": "application/json" };
  return call(credentials, pushedDraft, draftPath(name), {
    method: "PUT",
    headers,
    body: JSON.stringify(input),
  });
}

function draftPath(name: string): string {
  return `/publish/v1/apps/${name}/manifest`;
}

/** Saves the file as the platform's draft, even with errors, unless the draft changed since the last pull or push. */
export async function pushManifest(
  environment: CliEnvironment,
  terminal: Terminal,
  options: SyncOptions,
): Promise<void> {
  const credentials = await findCredentials(environment);
  const { file, bytes, text } = await readManifestFile(options.manifest);
  const app = getAppName(text, options.app);
  const target = { url: credentials.url, app, file };
  const known = (await readSynced(environment.syncedFile, target))?.revision ?? 0;
  const input = { text, revision: options.force === true ? null : known };
  const { revision, issues } = await pushDraft(credentials, app, input).catch((error: unknown) => {
    throw error instanceof PlatformProblem && error.code === "STALE_REVISION"
      ? behind(error, options)
      : error;
  });
  await writeSynced(environment.syncedFile, target, revision, bytes);
  for (const line of issueLines(issues, options.manifest)) terminal.note(line);
  const errors = issues.filter(isError).length;
  if (errors > 0) terminal.note("The draft is saved. Fix the errors before you publish.");
  terminal.result(`Pushed  ${app} from ${options.manifest} (revision ${revision})`);
}

function behind({ message }: PlatformProblem, { manifest }: SyncOptions): Failure {
  return new Failure(message, [], EXIT.failed, [
    `Use theirs first:  platform-app manifest pull --force   (saves yours as ${manifest}.orig), then push again`,
    "Overwrite theirs:  platform-app manifest push --force",
  ]);
}
