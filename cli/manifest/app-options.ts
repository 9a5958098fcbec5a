/** The options that name an app. Its own file, so that the start of the command line loads nothing else. */
import type { Command } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";

export interface AppOptions {
  app?: string;
  manifest: string;
}

export function addAppOptions(command: Command): Command {
  return command
    .option("--app <organization/app>", "name of the app, if this folder has no manifest")
    .option("--manifest <file>", "path to the manifest that names the app", MANIFEST_FILE);
}
