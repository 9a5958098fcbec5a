import { lstat } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import type { AppName } from "@/lib/contract/platform/text-shapes";
import type { CliContext } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { quote, style } from "../terminal/format";
import { checkName, listFolder, readManifestOnly, readTemplate, SCHEMA_FILE, writeFiles } from "./new-app";
import { TEMPLATE_NAMES, type TemplateName } from "./templates";

export async function init(
  context: CliContext,
  folderOption: string | undefined,
  options: InitOptions,
): Promise<void> {
  const { terminal } = context;
  const choice = await chooseApp(context, folderOption, options);
  const { name, template, folder } = choice;
  const files = template === undefined ? await readManifestOnly(name) : await readTemplate(template, name);
  const kept = await findExisting(folder, files.keys());
  await requirePlace(choice, kept, options);
  const added = new Map([...files].filter(([file]) => !kept.includes(file)));
  await writeFiles(folder, added);

  const shown = path.relative(process.cwd(), folder) || ".";
  const next = listNext(choice, shown);
  const { bold, dim } = style(terminal);
  terminal.result(`Created ${bold(`${name.organization}/${name.app}`)} in ${visible(shown)}`);
  for (const file of added.keys()) terminal.result(`  ${file}`);
  for (const file of kept) terminal.result(dim(`  ${file} (already exists, not changed)`));
  terminal.result("");
  terminal.result("Next:");
  const width = Math.max(...next.map(({ command }) => command.length));
  for (const { command, effect } of next)
    terminal.result(`  ${bold(command.padEnd(width))}  ${dim(effect)}`.trimEnd());
  terminal.data({
    name: `${name.organization}/${name.app}`,
    template: template ?? null,
    folder,
    files: [...added.keys()],
    kept,
    next: next.map(({ command }) => command),
  });
}

/** Paths of the template that the folder has already. */
async function findExisting(folder: string, files: Iterable<string>): Promise<string[]> {
  const found: string[] = [];
  for (const file of files) {
    const exists = await lstat(path.join(folder, file)).then(
      () => true,
      () => false,
    );
    if (exists) found.push(file);
  }
  return found;
}

async function requirePlace(
  { folder, template }: Choice,
  kept: readonly string[],
  { force }: InitOptions,
): Promise<void> {
  const names = (await listFolder(folder)) ?? [];
  const shown = visible(path.relative(process.cwd(), folder) || "This folder");
  if (template === undefined) {
    if (!kept.includes(MANIFEST_FILE)) return;
    throw new Failure("FILES_EXIST", `${shown} already has a ${MANIFEST_FILE}. Nothing was changed.`, {
      next: ["platform-app validate"],
    });
  }
  if (names.length === 0 || force) return;
  const conflicts = kept.filter((file) => file !== SCHEMA_FILE);
  const reason =
    conflicts.length === 0
      ? `is not empty: it contains ${listSome(names)}`
      : `already contains ${listSome(conflicts)}`;
  throw new Failure("FILES_EXIST", `${shown} ${reason}. Nothing was changed.`, {
    next: [
      "Choose a new folder, or pass --force to add only the missing files.",
      "For an existing app:  platform-app init --manifest-only",
    ],
  });
}

const MOST_NAMES = 5;

function listSome(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).map(visible).join(", ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function listNext({ template }: Choice, shown: string): { command: string; effect: string }[] {
  const enter = shown === "." ? [] : [{ command: `cd ${quote(shown)}`, effect: "" }];
  if (template === undefined) {
    return [
      ...enter,
      { command: `edit ${MANIFEST_FILE}`, effect: "declare the settings and routes of your app" },
      { command: "platform-app validate", effect: "check the manifest" },
      { command: "platform-app dev", effect: "run the app with made-up customers" },
    ];
  }
  return [
    ...enter,
    { command: "make test", effect: "run the app's own tests" },
    { command: "platform-app dev", effect: "run the app with made-up customers" },
    { command: "platform-app login", effect: "log in to your organization" },
    { command: "platform-app create", effect: "create the app's listing" },
    { command: "make publish-app", effect: "deploy the app to its listing" },
  ];
}

export interface InitOptions {
  template?: TemplateName;
  name?: string;
  manifestOnly?: boolean;
  force?: boolean;
  yes?: boolean;
}

/** What to create, and where. */
interface Choice {
  name: AppName;
  /** Undefined: only the manifest. */
  template: TemplateName | undefined;
  /** Absolute. */
  folder: string;
}

/** From the options. What they leave open is asked on a terminal; without one, the failure names it. */
async function chooseApp(
  { environment, terminal }: CliContext,
  folder: string | undefined,
  options: InitOptions,
): Promise<Choice> {
  if (options.manifestOnly && options.template !== undefined)
    throw new Failure("WRONG_USAGE", "--template and --manifest-only can't be combined. Omit one of them.");
  const needsTemplate = options.template === undefined && !options.manifestOnly;
  const isComplete = options.name !== undefined && !needsTemplate;
  if (!isComplete && (!terminal.interactive || options.yes)) throw missingOptions(options, needsTemplate);

  const { askFolder, askName, askTemplate } = await import("./ask-app");
  const name = options.name === undefined ? await askName(environment) : checkName(options.name);
  const template = needsTemplate ? await askTemplate() : options.template;
  const usual = await usualFolder(name, options);
  const chosen = folder ?? (isComplete ? usual : await askFolder(usual));
  return { name, template, folder: path.resolve(chosen) };
}

function missingOptions(
  { name, template = "node", manifestOnly }: InitOptions,
  needsTemplate: boolean,
): Failure {
  const missing = [
    ...(name === undefined ? ["--name <organization>/<app>"] : []),
    ...(needsTemplate ? [`--template ${TEMPLATE_NAMES.join("|")}`] : []),
  ];
  return new Failure("WRONG_USAGE", `Pass ${missing.join(" and ")}.`, {
    next: [
      `platform-app init ${manifestOnly ? "--manifest-only" : `--template ${template}`} --name ${name ?? "acme/vin-lookup"}`,
    ],
  });
}

/** This folder if the app can be in it, otherwise a new one with the app's name. */
async function usualFolder({ app }: AppName, { manifestOnly }: InitOptions): Promise<string> {
  if (manifestOnly) return ".";
  const names = await listFolder(".");
  return names === undefined || names.length === 0 ? "." : app;
}
