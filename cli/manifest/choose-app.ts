import type { Command } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/names";
import type { ChosenApp } from "../platform/apps-api";
import { findCredentials } from "../platform/credentials";
import type { CliContext } from "../terminal/environment";
import { findManifestFile, getAppName } from "./manifest-file";

export interface AppOptions {
  app?: string;
  manifest: string;
}

export function addAppOptions(command: Command): Command {
  return command
    .option("--app <organization/app>", "app name, if this folder has no manifest")
    .option("--manifest <file>", "path of the manifest, which names the app", MANIFEST_FILE);
}

/** The app that `--app` names, or else the manifest. */
export async function chooseApp({ environment }: CliContext, options: AppOptions): Promise<ChosenApp> {
  const found = options.app === undefined ? await findManifestFile(options.manifest) : undefined;
  const name = getAppName(found?.text, options.app);
  return { credentials: await findCredentials(environment), name };
}
