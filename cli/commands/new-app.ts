import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { manifestSchema } from "@/lib/contract/catalog/manifest";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { type AppName, slug, splitAppName } from "@/lib/contract/platform/text-shapes";
import { withoutRegionMarks } from "@/lib/domain/surface/guide";
import { Failure, visible } from "../terminal/failure";
import type { TemplateName } from "./templates";

/** Beside `init/` in the sources, and beside `dist/` in the package. */
const TEMPLATES_FOLDER = new URL("../templates/", import.meta.url);

/** Each template is an app of this name, complete and tested as it is. */
const TEMPLATE_APP = { organization: "acme", app: "my-app" };

/** For editors. It is written beside the manifest, so that they complete it without a connection. */
export const SCHEMA_FILE = "platform-app.schema.json";

/** npm leaves out files of this name when it packs the command line. */
const GIT_IGNORE = { stored: "gitignore", written: ".gitignore" };

/** The files of a new app, by path with slashes. */
export async function readTemplate(template: TemplateName, name: AppName): Promise<Map<string, string>> {
  const folder = fileURLToPath(new URL(template, TEMPLATES_FOLDER));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const source = path.join(entry.parentPath, entry.name);
    const target = path.relative(folder, source).split(path.sep).join("/");
    // The documentation shows regions of them.
    const text = withoutRegionMarks(await readFile(source, "utf8"));
    files.set(target === GIT_IGNORE.stored ? GIT_IGNORE.written : target, writeName(text, name));
  }
  files.set(SCHEMA_FILE, `${JSON.stringify(manifestSchema(SCHEMA_FILE), null, 2)}\n`);
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The manifest and its schema. All templates have the same manifest. */
export async function readManifestOnly(name: AppName): Promise<Map<string, string>> {
  const files = await readTemplate("node", name);
  return new Map([...files].filter(([file]) => file === MANIFEST_FILE || file === SCHEMA_FILE));
}

function writeName(text: string, { organization, app }: AppName): string {
  return text
    .replaceAll(`${TEMPLATE_APP.organization}/${TEMPLATE_APP.app}`, `${organization}/${app}`)
    .replaceAll(TEMPLATE_APP.app, app);
}

/** What may be in a folder that counts as empty. */
const IGNORED = new Set([".git", ".DS_Store"]);

/** The names in the folder, except for Git's. Undefined if there is no such folder. */
export async function listFolder(folder: string): Promise<string[] | undefined> {
  try {
    return (await readdir(folder)).filter((name) => !IGNORED.has(name));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return undefined;
    const reason = code === "ENOTDIR" ? "is not a folder" : `can't be read (${String(code)})`;
    throw new Failure("WRONG_USAGE", `${visible(folder)} ${reason}. Choose another folder.`);
  }
}

/**
 * Writes all files, or none: first beside their place, then moved there. No file that exists is changed.
 * @param files by path with slashes
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const isNew = (await listFolder(folder)) === undefined;
  const parent = isNew ? path.dirname(folder) : folder;
  const staged = path.join(parent, `.platform-app-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(parent, { recursive: true });
    await mkdir(staged);
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(staged, file)), { recursive: true });
      await writeFile(path.join(staged, file), text);
    }
    if (isNew) await rename(staged, folder);
    else await moveFiles(staged, folder, [...files.keys()]);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Failure("WRONG_USAGE", `${visible(folder)} can't be written (${code}). Choose another folder.`);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

async function moveFiles(from: string, to: string, files: readonly string[]): Promise<void> {
  const moved: string[] = [];
  try {
    for (const file of files) {
      await mkdir(path.dirname(path.join(to, file)), { recursive: true });
      await rename(path.join(from, file), path.join(to, file));
      moved.push(file);
    }
  } catch (error) {
    for (const file of moved) await rm(path.join(to, file), { force: true });
    throw error;
  }
}

/** Refuses a name that a manifest can't have. */
export function checkName(text: string): AppName {
  const name = splitAppName(text);
  if (name !== undefined) return name;
  const parts = text.split("/");
  const problem =
    parts.length === 2
      ? (parts.map(slugProblem).find((each) => each !== undefined) ?? "")
      : "It must have two parts, separated by a slash.";
  throw new Failure("WRONG_USAGE", `"${visible(text)}" is not a valid app name. ${problem}`, {
    next: [
      `Pass your organization's slug and a name for the app, such as acme/vin-lookup. ${MANIFEST_FILE} stores it as "name".`,
    ],
  });
}

/** What is wrong with one part of a name. */
export function slugProblem(text: string): string | undefined {
  return slug.safeParse(text).error?.issues[0]?.message;
}
