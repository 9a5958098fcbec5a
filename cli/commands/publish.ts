import type { PublishAnswer } from "@/lib/contract/calls/gateway-answers";
import { imagePlatform, type PulledDraft } from "@/lib/contract/catalog/manifest-draft";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import {
  compareVersions,
  manifestVersion,
  nextVersion,
  setManifestVersion,
} from "@/lib/domain/catalog/manifest/version";
import { explainFault, parseReference } from "@/lib/domain/images/image-reference";
import { addManifest, chooseManifest } from "../image/choose-manifest";
import { configDigest, type ImageContent, writeManifest } from "../image/image-content";
import { inspectImage } from "../image/inspect-image";
import { findBuilt, openSource } from "../image/open-archive";
import { readSynced, writeSynced } from "../manifest/synced-manifests";
import { readWorkingManifest, type WorkingManifest, writeVersion } from "../manifest/working-manifest";
import { type ChosenApp, listVersions } from "../platform/apps-api";
import { type Credentials, findCredentials } from "../platform/credentials";
import { type Publication, publishImage, pullDraft, withRetries } from "../platform/publish-api";
import { sendImage } from "../platform/send-image";
import type { CliContext, CliEnvironment, Terminal } from "../terminal/environment";
import { Failure, PlatformProblem, visible } from "../terminal/failure";
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
  /** Which image, if an archive or a registry has several. */
  platform?: string;
  /** What is new: a text, or `@` and the name of a file. */
  notes?: string;
}

const STOPPED =
  "Stopped. Your file was not changed. To continue the upload, publish again. If the upload was already complete, the version appears in the listing in a moment.";

/** Of the first request: whether a part of the platform is restarting, or the address is wrong. Nobody wants to wait long for that. */
const FIRST_RETRIES = 2;

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
  requirePlatform(options);
  const notes = options.notes === undefined ? undefined : await readNotes("--notes", options.notes);
  const credentials = await findCredentials(environment);
  const working = await readWorkingManifest(options.manifest, terminal);
  const { name } = working.manifest;
  if (options.build !== undefined) await requireFolder(options.build, `--build ${options.build}`);
  const { answer, isSame } = await interruptible(STOPPED, async (signal) => {
    // Asked first, so that wrong credentials do not cost a build and an upload.
    const first = environment.uploadRetryMs.slice(0, FIRST_RETRIES);
    const known = await withRetries(() => pullDraft(credentials, name, signal), first, signal);
    const prepared =
      "from" in chosen
        ? prepareRemote(environment, terminal, chosen.from)
        : await prepareLocal({ environment, terminal }, credentials, chosen.source, working, options, signal);
    const { uploadRetryMs: retryMs } = environment;
    const publication = { credentials, terminal, retryMs, working, options, notes };
    try {
      return { answer: await publishNumbered(publication, prepared, known, signal), isSame: prepared.isSame };
    } finally {
      await prepared.close();
    }
  });
  await writeVersion(options.manifest, answer.version, terminal);
  if (isSame) await remember({ environment, terminal }, credentials, working, answer);
  // What is in the image was told before the upload, if it is on this machine.
  if ("from" in chosen)
    for (const warning of answer.warnings ?? []) terminal.note(`Warning: ${visible(warning)}`);
  terminal.result(`Published  ${name} ${visible(answer.version)}`);
  terminal.result(`Image      ${visible(answer.imageDigest)}`);
  terminal.result(`Listing    ${visible(answer.listingUrl)}`);
  terminal.data({ name, ...answer });
  const where = options.manifest === MANIFEST_FILE ? "" : ` --app ${name}`;
  terminal.note(`Submit it for review:  platform-app submit${where}`);
}

/** What is published, before it has its number. */
interface Prepared {
  /** The number in the image's manifest. */
  inImage?: string;
  /** Whether its manifest says the same as the file. */
  isSame: boolean;
  /** The image's digest under this number, which an added manifest contains. Undefined if only the platform knows it. */
  toDigest(version: string): Promise<string | undefined>;
  /** Sends what the platform doesn't have. Returns what names the image then. */
  send(version: string): Promise<Publication["image"]>;
  /** Call it at the end, whatever happened. */
  close(): Promise<void>;
}

function prepareRemote(environment: CliEnvironment, terminal: Terminal, from: string): Prepared {
  const { registryUsername: username, registryPassword: password } = environment;
  return {
    // Nobody has looked into the image, so nothing says that its manifest is the file's.
    isSame: false,
    toDigest: async () => undefined,
    send: async () => {
      terminal.note(`The platform is reading ${visible(from)}…`);
      return { from, username, password };
    },
    close: async () => {},
  };
}

/** Builds an image if asked to, and looks into it. */
async function prepareLocal(
  { environment, terminal }: CliContext,
  credentials: Credentials,
  chosenSource: string | undefined,
  working: WorkingManifest,
  options: PublishOptions,
  signal: AbortSignal,
): Promise<Prepared> {
  const source = chosenSource ?? defaultTag(working.manifest.name);
  if (options.build !== undefined) {
    const build = { tag: source, folder: options.build, buildArgs: options.buildArg ?? [] };
    await buildImage(environment, build, signal);
  }
  const { inherited } = environment;
  const archive = await (options.build === undefined
    ? openSource(inherited, source, terminal.note)
    : findBuilt(inherited, source));
  terminal.note(`Reading ${source}…`);
  const image = await inspectImage(archive, source, signal, options.platform);
  try {
    for (const warning of image.warnings) terminal.note(`Warning: ${warning}`);
    const mayAdd = options.addManifest === true;
    const chosen = await chooseManifest(image.manifest, working.manifest, mayAdd, terminal);
    const toContent = async (version: string): Promise<ImageContent> =>
      chosen.isAdded ? addManifest(image, setManifestVersion(working.text, version)) : image;
    return {
      inImage: chosen.manifest.version,
      isSame: chosen.isSame,
      toDigest: async (version) => configDigest(await toContent(version)),
      send: async (version) => {
        const content = await toContent(version);
        await sendImage(environment, credentials, terminal, content, signal);
        return writeManifest(content);
      },
      close: image.close,
    };
  } catch (error) {
    await image.close();
    throw error;
  }
}

interface Numbering {
  credentials: Credentials;
  terminal: Terminal;
  retryMs: readonly number[];
  working: WorkingManifest;
  options: PublishOptions;
  notes: string | undefined;
}

/** How often another number is tried because somebody else's publication took the last one. */
const RACES = 4;

async function publishNumbered(
  { credentials, terminal, retryMs, working, options, notes }: Numbering,
  prepared: Prepared,
  first: PulledDraft,
  signal: AbortSignal,
): Promise<PublishAnswer> {
  const { name, version: own } = working.manifest;
  let known = first;
  for (let races = 0; ; races += 1) {
    const version =
      (await findPublished({ credentials, name }, prepared, options, own, known)) ??
      chooseVersion(options, working, known, prepared.inImage);
    terminal.note(`Publishing ${name} ${version}`);
    const image = await prepared.send(version);
    const platform = options.from === undefined ? undefined : options.platform;
    const ask = (number: string) =>
      publishImage(credentials, { name, version: number, image, platform, notes }, retryMs, signal);
    try {
      return await ask(version);
    } catch (error) {
      if (!options.bump || races === RACES || !isTaken(error)) throw error;
      // Only the platform knows the digest of an image in a registry.
      const found = error instanceof PlatformProblem ? error.version : undefined;
      if (found !== undefined && compareVersions(found, own) > 0)
        return await ask(found).catch(() => Promise.reject(error));
      const { newest } = known;
      known = await pullDraft(credentials, name, signal);
      if (known.newest?.number === newest?.number) throw error;
      terminal.note(`Version ${version} was taken in the meantime. Trying the next number.`);
    }
  }
}

/** Whether the number is the problem, so that a higher one may do. */
function isTaken(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  return error.code === "VERSION_EXISTS" || error.issues.some(({ code }) => code === "VERSION_TOO_LOW");
}

/**
 * The number under which this image is published already, if the file doesn't have the number yet: an earlier attempt was accepted, and its
 * answer was lost. Others may have published since. The platform repeats the answer. Throws if the file has the number.
 */
async function findPublished(
  app: ChosenApp,
  { toDigest }: Prepared,
  { bump, from }: PublishOptions,
  own: string,
  { newest }: PulledDraft,
): Promise<string | undefined> {
  if (newest === null) return undefined;
  const isBehind = compareVersions(newest.number, own) > 0;
  const { versions } = isBehind
    ? await listVersions(app)
    : { versions: [{ version: newest.number, imageDigest: newest.imageDigest }] };
  const isOwn = (number: string) => (bump ? compareVersions(number, own) > 0 : number === own);
  // Whether it is the same image, the platform says.
  if (from !== undefined) return bump ? undefined : versions.find(({ version }) => isOwn(version))?.version;
  const same: string[] = [];
  for (const { version, imageDigest } of versions)
    if (imageDigest === (await toDigest(version))) same.push(version);
  if (same.length === 0) return undefined;
  // Those that followed have another manifest.
  same.sort(compareVersions);
  const found = same.find(isOwn);
  if (found !== undefined) return found;
  throw new Failure(
    "ALREADY_PUBLISHED",
    `This image is already published as version ${same[0]}. Build it again with your changes, then publish it.`,
  );
}

/** Without a source, the image that is built gets the app's name. */
function chooseSource(
  image: string | undefined,
  { from, build, addManifest: mayAdd }: PublishOptions,
): { source: string | undefined } | { from: string } {
  if (from === undefined && (image !== undefined || build !== undefined)) return { source: image };
  if (from !== undefined && image === undefined && build === undefined && mayAdd !== true) {
    const reference = parseReference(from);
    // The platform would refuse it, after everything else.
    if (typeof reference === "string") throw new Failure("WRONG_USAGE", `--from: ${explainFault(reference)}`);
    return { from };
  }
  const message =
    from === undefined
      ? "Choose what to publish: pass the name of a local image, a folder to build with --build, or an image in a registry with --from."
      : "--from can't be combined with an image, --build or --add-manifest.";
  throw new Failure("WRONG_USAGE", message, { next: ["platform-app publish --build ."] });
}

function requirePlatform({ platform, build }: PublishOptions): void {
  if (platform === undefined) return;
  if (build !== undefined)
    throw new Failure(
      "WRONG_USAGE",
      "--platform can't be combined with --build, which builds one image for linux/amd64. Omit --platform.",
    );
  const checked = imagePlatform.safeParse(platform);
  if (checked.success) return;
  throw new Failure("WRONG_USAGE", `--platform: ${checked.error.issues[0]?.message ?? "It is not valid."}`);
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
