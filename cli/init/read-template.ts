import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { manifestSchema } from "@/lib/contract/manifest-schema";
import type { AppName } from "@/lib/contract/names";
import { withoutRegionMarks } from "@/lib/domain/guide/parse-fence";
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
    files.set(target === GIT_IGNORE.stored ? GIT_IGNORE.written : target, rename(text, name));
  }
  files.set(SCHEMA_FILE, `${JSON.stringify(manifestSchema(SCHEMA_FILE), null, 2)}\n`);
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The manifest and its schema. All templates have the same manifest. */
export async function readManifestOnly(name: AppName): Promise<Map<string, string>> {
  const files = await readTemplate("node", name);
  return new Map([...files].filter(([file]) => file === MANIFEST_FILE || file === SCHEMA_FILE));
}

function rename(text: string, { organization, app }: AppName): string {
  return text
    .replaceAll(`${TEMPLATE_APP.organization}/${TEMPLATE_APP.app}`, `${organization}/${app}`)
    .replaceAll(TEMPLATE_APP.app, app);
}
