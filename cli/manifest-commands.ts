import { Option, type Command } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/names";
import { checkFile } from "./check-file";
import type { CliEnvironment } from "./environment";
import { pullManifest, type SyncOptions } from "./pull-manifest";
import { pushManifest } from "./push-manifest";
import type { Terminal } from "./terminal";

export function addManifestCommands(program: Command, environment: CliEnvironment, terminal: Terminal): void {
  const file = () =>
    new Option("--manifest <file>", "the manifest in the working folder").default(MANIFEST_FILE);
  const app = () => new Option("--app <organization/app>", "which app, where the file does not say it");
  const manifest = program
    .command("manifest")
    .description("Move the manifest between the working folder and the editor's draft, and check it.");
  manifest
    .command("pull")
    .description("Write the platform's draft into the file, unless that has changes of its own.")
    .addOption(file())
    .addOption(app())
    .option("--force", "pull even so, and keep the file as it was beside it, with .orig after its name")
    .action((options: SyncOptions) => pullManifest(environment, terminal, options));
  manifest
    .command("push")
    .description(
      "Save the file as the platform's draft, unless that has changed since the last pull or push.",
    )
    .addOption(file())
    .addOption(app())
    .option("--force", "overwrite the draft, whatever it holds")
    .action((options: SyncOptions) => pushManifest(environment, terminal, options));
  manifest
    .command("check")
    .description("Say what is wrong with the file; needs no platform. Ends with 1 when there are errors.")
    .addOption(file())
    .action((options: { manifest: string }) => checkFile(terminal, options.manifest));
}
