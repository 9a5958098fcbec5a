import path from "node:path";
import type { AppName } from "@/lib/contract/names";
import type { CliContext } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { checkName } from "./app-name";
import { TEMPLATE_NAMES, type TemplateName } from "./templates";
import { listFolder } from "./write-files";

export interface InitOptions {
  template?: TemplateName;
  name?: string;
  manifestOnly?: boolean;
  force?: boolean;
  yes?: boolean;
}

/** What to create, and where. */
export interface Choice {
  name: AppName;
  /** Undefined: only the manifest. */
  template: TemplateName | undefined;
  /** Absolute. */
  folder: string;
}

/** From the options. What they leave open is asked on a terminal; without one, the failure names it. */
export async function chooseApp(
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

function missingOptions({ name }: InitOptions, needsTemplate: boolean): Failure {
  const missing = [
    ...(name === undefined ? ["--name <organization>/<app>"] : []),
    ...(needsTemplate ? [`--template ${TEMPLATE_NAMES.join("|")}`] : []),
  ];
  return new Failure("WRONG_USAGE", `Pass ${missing.join(" and ")}.`, {
    next: [
      `platform-app init ${needsTemplate ? "--template node" : "--manifest-only"} --name acme/vin-lookup`,
    ],
  });
}

/** This folder if the app can be in it, otherwise a new one with the app's name. */
async function usualFolder({ app }: AppName, { manifestOnly }: InitOptions): Promise<string> {
  if (manifestOnly) return ".";
  const names = await listFolder(".");
  return names === undefined || names.length === 0 ? "." : app;
}
