import { addAbortSignal } from "node:stream";
import type { PublishAnswer } from "@/lib/contract/calls/gateway-answers";
import type { PulledDraft } from "@/lib/contract/catalog/manifest-draft";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import {
  compareVersions,
  manifestVersion,
  nextVersion,
  setManifestVersion,
} from "@/lib/domain/catalog/manifest/version";
import { addManifest, chooseManifest } from "../image/choose-manifest";
import { writeManifest } from "../image/image-content";
import { type InspectedImage, inspectImage } from "../image/inspect-image";
import { findImage, openSource } from "../image/open-archive";
import { readSynced, writeSynced } from "../manifest/synced-manifests";
import { readWorkingManifest, type WorkingManifest, writeVersion } from "../manifest/working-manifest";
import { type Credentials, findCredentials } from "../platform/credentials";
import { publishImage, pullDraft, saveNotes } from "../platform/publish-api";
import { sendImage } from "../platform/send-image";
import type { CliContext, CliEnvironment, Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { buildImage, defaultTag, interruptible, requireFolder } from "./build";
import { readNotes } from "./submit";

export interface PublishOptions {
  manifest: string;
  build?: string;
  buildArg?: readonly string[];
  addManifest?: boolean;
  /** False: publish the number in the file. */
  bump: boolean;
  /** An image in a registry, which the platform reads from there. */
  from?: string;
  /** What is new: a text, or `@` and the name of a file. */
  notes?: string;
}

const STOPPED =
  "Stopped. Your file was not changed. To continue the upload, publish again. If the upload was already complete, the version appears in the listing in a moment.";

/**
 * Looks at the image, takes the next number from the platform, and uploads. The working folder's file gets the number
 * once the platform has accepted it.
 */
export async function publish(
  { environment, terminal }: CliContext,
  image: string | undefined,
  options: PublishOptions,
): Promise<void> {
  const chosen = chooseSource(image, options);
  const notes = options.notes === undefined ? undefined : await readNotes(options.notes);
  const credentials = await findCredentials(environment);
  const working = await readWorkingManifest(options.manifest, terminal);
  const { name } = working.manifest;
  if (options.build !== undefined) await requireFolder(options.build, `--build ${options.build}`);
  const { answer, isSame } = await interruptible(STOPPED, async (signal) => {
    // Asked first, so that wrong credentials do not cost a build and an upload.
    const known = await pullDraft(credentials, name, signal);
    if ("from" in chosen) {
      const version = chooseVersion(options, working, known);
      terminal.note(
        `Publishing ${name} ${version} from ${visible(chosen.from)}. The platform is reading the image…`,
      );
      const { registryUsername: username, registryPassword: password } = environment;
      const remote = { from: chosen.from, username, password };
      // Nobody has looked into the image, so nothing says that its manifest is the file's.
      return {
        answer: await publishImage(credentials, { name, version, image: remote }, signal),
        isSame: false,
      };
    }
    const source = chosen.source ?? defaultTag(name);
    return publishLocal(environment, credentials, terminal, { source, working, known, options }, signal);
  });
  await writeVersion(options.manifest, answer.version, terminal);
  if (isSame) await remember({ environment, terminal }, credentials, working, answer);
  terminal.result(`Published  ${name} ${visible(answer.version)}`);
  terminal.result(`Image      ${visible(answer.imageDigest)}`);
  terminal.result(`Listing    ${visible(answer.listingUrl)}`);
  terminal.data({ name, ...answer });
  if (notes !== undefined) await sendNotes(credentials, name, answer, notes);
  const where = options.manifest === MANIFEST_FILE ? "" : ` --app ${name}`;
  terminal.note(`Submit it for review:  platform-app submit${where}`);
}

interface Local {
  source: string;
  working: WorkingManifest;
  known: PulledDraft;
  options: PublishOptions;
}

/** Looks at an image of this machine, and sends it. */
async function publishLocal(
  environment: CliEnvironment,
  credentials: Credentials,
  terminal: Terminal,
  { source, working, known, options }: Local,
  signal: AbortSignal,
): Promise<{ answer: PublishAnswer; isSame: boolean }> {
  const { name } = working.manifest;
  if (options.build !== undefined) {
    const build = { tag: source, folder: options.build, buildArgs: options.buildArg ?? [] };
    await buildImage(environment, build, signal);
  }
  const archive = options.build === undefined ? await openSource(source) : await findImage(source);
  terminal.note(`Reading ${source}…`);
  const image = await inspectImage(addAbortSignal(signal, await archive.open()), source);
  if (!image.hasCommand)
    terminal.note(
      "Warning: The image has neither CMD nor ENTRYPOINT, so no engine can start it. Add one to the Dockerfile.",
    );
  const mayAdd = options.addManifest === true;
  const chosen = await chooseManifest(image.manifest, working.manifest, mayAdd, terminal);
  const version = chooseVersion(options, working, known, chosen.manifest.version);
  if (!chosen.isAdded) requireNew(image, known);
  terminal.note(`Publishing ${name} ${version}`);
  const content = chosen.isAdded
    ? await addManifest(image, setManifestVersion(working.text, version))
    : image;
  await sendImage(environment, credentials, terminal, { archive, image: content }, signal);
  const manifest = writeManifest(content);
  return {
    answer: await publishImage(credentials, { name, version, image: manifest }, signal),
    isSame: chosen.isSame,
  };
}

/** Without a source, the image that is built gets the app's name. */
function chooseSource(
  image: string | undefined,
  { from, build, addManifest: mayAdd }: PublishOptions,
): { source: string | undefined } | { from: string } {
  if (from === undefined && (image !== undefined || build !== undefined)) return { source: image };
  if (from !== undefined && image === undefined && build === undefined && mayAdd !== true) return { from };
  const message =
    from === undefined
      ? "Choose what to publish: pass the name of a local image, a folder to build with --build, or an image in a registry with --from."
      : "--from can't be combined with an image, --build or --add-manifest.";
  throw new Failure("WRONG_USAGE", message, { next: ["platform-app publish --build ."] });
}

/** The version is published by now, so a failure says what is left to do. */
async function sendNotes(
  credentials: Credentials,
  name: string,
  { version, listingUrl }: PublishAnswer,
  notes: string,
): Promise<void> {
  await saveNotes(credentials, name, version, notes).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    const left = `Version ${version} was published, but its release notes were not saved. Add them at ${listingUrl}.`;
    throw new Failure("NOTES_NOT_SAVED", `${error.message} ${left}`, { issues: error.issues });
  });
}

function chooseVersion(
  { bump }: PublishOptions,
  { text, manifest }: WorkingManifest,
  known: PulledDraft,
  inImage?: string,
): string {
  if (!bump) return requireFree(manifest.version, known);
  const drafted = known.source === "new" ? undefined : manifestVersion(known.text);
  return nextVersion([manifestVersion(text), inImage, known.newest?.number, drafted]);
}

/** The platform would refuse it after the upload. */
function requireFree(version: string, { newest }: PulledDraft): string {
  if (newest === null || compareVersions(version, newest.number) > 0) return version;
  throw new Failure(
    "ALREADY_PUBLISHED",
    `The manifest's version is ${version}, but version ${newest.number} is already published. Use a higher number.`,
    { next: ["platform-app version minor", "Or omit --no-bump to use the next number."] },
  );
}

/** The platform would refuse it after the upload. */
function requireNew({ digest }: InspectedImage, { newest }: PulledDraft): void {
  if (newest === null || newest.imageDigest !== digest) return;
  throw new Failure(
    "ALREADY_PUBLISHED",
    `This image is already published as version ${newest.number}. Build it again with your changes, then publish it.`,
  );
}

/** A later pull or push knows that the file's content is on the platform. */
async function remember(
  { environment: { syncedFile }, terminal }: CliContext,
  { url }: Credentials,
  { file, text, manifest }: WorkingManifest,
  { draftRevision }: PublishAnswer,
): Promise<void> {
  const target = { url, app: manifest.name, file };
  const revision = draftRevision ?? (await readSynced(syncedFile, target))?.revision ?? 0;
  await writeSynced({ stateFile: syncedFile, note: terminal.note }, target, revision, text);
}
