import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { PulledDraft, PushedDraft } from "@/lib/contract/catalog/manifest-draft";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { isError } from "@/lib/contract/platform/problem";
import { describeIssues } from "../manifest/describe-issues";
import { findManifestFile, getAppName, readManifestFile } from "../manifest/manifest-file";
import { contentDigest, readSynced, type SyncedFile, writeSynced } from "../manifest/synced-manifests";
import { type Credentials, findCredentials } from "../platform/credentials";
import { pullDraft, pushDraft } from "../platform/publish-api";
import type { CliContext, CliEnvironment } from "../terminal/environment";
import { Failure, PlatformProblem, visible } from "../terminal/failure";

export interface SyncOptions {
  manifest: string;
  app?: string;
  force?: boolean;
}

/** Writes the platform's draft into the file, unless that would lose local changes. */
export async function pullManifest(
  { environment, terminal }: CliContext,
  options: SyncOptions,
): Promise<void> {
  const credentials = await findCredentials(environment);
  const remembered = { stateFile: environment.syncedFile, note: terminal.note };
  const local = await findManifestFile(options.manifest);
  const app = getAppName(local?.text, options.app);
  const draft = await pullDraft(credentials, app);
  const bytes = toBytes(draft);
  const target: SyncedFile = { url: credentials.url, app, file: path.resolve(options.manifest) };
  if (local?.bytes.equals(bytes) === true) {
    await writeSynced(remembered, target, draft.revision, draft.text);
    terminal.result(`${options.manifest} is up to date (${describe(draft)}).`);
    terminal.data({ app, file: target.file, revision: draft.revision, changed: false });
    return;
  }
  if (local !== undefined && (await isEdited(environment, target, local.text, draft))) {
    if (options.force !== true) throw wouldLose(options);
    await writeFile(`${target.file}.orig`, local.bytes);
    terminal.note(`Your version is saved as ${options.manifest}.orig`);
  }
  await writeFile(target.file, bytes);
  await writeSynced(remembered, target, draft.revision, draft.text);
  terminal.result(`Pulled  ${app} into ${options.manifest} (${describe(draft)})`);
  terminal.data({ app, file: target.file, revision: draft.revision, changed: true });
}

/** Whether a file has changes that are neither on the platform nor from the last pull, push or publish. */
async function isEdited(
  { syncedFile }: CliEnvironment,
  target: SyncedFile,
  text: string,
  { text: draft, published }: PulledDraft,
): Promise<boolean> {
  const content = contentDigest(text);
  if (content === contentDigest(draft) || published.includes(content)) return false;
  return content !== (await readSynced(syncedFile, target))?.content;
}

/** UTF-8 cannot encode half of a surrogate pair; it would come back as another character. */
function toBytes({ text }: PulledDraft): Buffer {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.toString("utf8") === text) return bytes;
  const detail =
    "The draft contains a broken character (half of a surrogate pair), which a text file can't store.";
  throw new Failure(
    "INVALID_MANIFEST",
    `${detail} Open the manifest editor in the browser and remove the marked character.`,
  );
}

function describe({ revision, updatedAt, updatedBy, source }: PulledDraft): string {
  if (source === "new") return "a new manifest: nothing has been saved or published yet";
  if (source === "version") return "as last published: no draft has been saved since";
  const when = updatedAt === null ? "" : `, ${updatedAt.slice(0, 16).replace("T", " ")} UTC`;
  return visible(`revision ${revision}, by ${updatedBy ?? "unknown"}${when}`);
}

function wouldLose(options: SyncOptions): Failure {
  const message = `${options.manifest} has local changes that a pull would overwrite. Nothing was changed.`;
  return new Failure("LOCAL_CHANGES", message, {
    next: [
      `Upload yours:         ${toCommand("push", options)}`,
      `Use the platform's:   ${toCommand("pull", options, "--force")}   (saves yours as ${options.manifest}.orig)`,
    ],
  });
}

/** The command with the options that this one was run with. */
function toCommand(verb: "pull" | "push", { manifest, app }: SyncOptions, ...more: string[]): string {
  const file = manifest === MANIFEST_FILE ? [] : ["--manifest", quote(manifest)];
  const named = app === undefined ? [] : ["--app", app];
  return ["platform-app manifest", verb, ...file, ...named, ...more].join(" ");
}

function quote(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/** Saves the file as the platform's draft, even with errors, unless the draft changed since the last pull or push. */
export async function pushManifest(
  { environment, terminal }: CliContext,
  options: SyncOptions,
): Promise<void> {
  const credentials = await findCredentials(environment);
  const { file, text } = await readManifestFile(options.manifest);
  const app = getAppName(text, options.app);
  const target = { url: credentials.url, app, file };
  const known = await readSynced(environment.syncedFile, target);
  const expected = options.force === true ? null : (known?.revision ?? 0);
  const { revision, issues } = await pushDraft(credentials, app, { text, revision: expected })
    .catch((error: unknown) => {
      if (!isStale(error)) throw error;
      return pushOverRaised(credentials, app, text, known?.content, error);
    })
    .catch((error: unknown) => {
      throw isStale(error) ? behind(error, options) : error;
    });
  await writeSynced({ stateFile: environment.syncedFile, note: terminal.note }, target, revision, text);
  const lines = describeIssues(issues, { name: options.manifest, text }, terminal);
  if (!terminal.json) for (const line of lines) terminal.note(line);
  const errors = issues.filter(isError).length;
  if (errors > 0) terminal.note("The draft was saved. Fix the errors before you publish.");
  terminal.result(`Pushed  ${app} from ${options.manifest} (revision ${revision})`);
  terminal.data({ app, file, revision, issues });
}

/** Only the draft's number changed since it was known here, for example because CI published: nothing is overwritten. */
async function pushOverRaised(
  credentials: Credentials,
  app: string,
  text: string,
  known: string | undefined,
  stale: PlatformProblem,
): Promise<PushedDraft> {
  const draft = await pullDraft(credentials, app);
  const theirs = contentDigest(draft.text);
  if (theirs !== known && theirs !== contentDigest(text)) throw stale;
  return pushDraft(credentials, app, { text, revision: draft.revision });
}

function isStale(error: unknown): error is PlatformProblem {
  return error instanceof PlatformProblem && error.code === "STALE_REVISION";
}

function behind({ message }: PlatformProblem, options: SyncOptions): Failure {
  return new Failure("DRAFT_CHANGED", message, {
    next: [
      `Use theirs first:  ${toCommand("pull", options, "--force")}   (saves yours as ${options.manifest}.orig), then push again`,
      `Overwrite theirs:  ${toCommand("push", options, "--force")}`,
    ],
  });
}
