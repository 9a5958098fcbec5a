import { isError } from "@/lib/contract/problem";
import { type Command, Option } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/names";
import type { CliEnvironment, Terminal } from "./terminal/environment";
import { pullManifest, pushManifest, type SyncOptions } from "./sync-manifest";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { Failure, issueLines, visible } from "./terminal/failure";
import { readManifestFile, readManifestInput } from "./manifest-file";

export function addManifestCommands(program: Command, environment: CliEnvironment, terminal: Terminal): void {
  const file = () => new Option("--manifest <file>", "path of the manifest").default(MANIFEST_FILE);
  const app = () => new Option("--app <organization/app>", "app name, if the file has none");
  const manifest = program
    .command("manifest")
    .description("Sync the manifest with the editor's draft, or check it.");
  manifest
    .command("pull")
    .description("Write the platform's draft into the file, unless the file has local changes.")
    .addOption(file())
    .addOption(app())
    .option("--force", "overwrite local changes and save them in a copy named .orig")
    .action((options: SyncOptions) => pullManifest(environment, terminal, options));
  manifest
    .command("push")
    .description(
      "Save the file as the platform's draft, unless the draft changed since the last pull or push.",
    )
    .addOption(file())
    .addOption(app())
    .option("--force", "overwrite the draft, even if it changed")
    .action((options: SyncOptions) => pushManifest(environment, terminal, options));
  manifest
    .command("check")
    .description("Check the file for errors. Works offline and exits with 1 if there are errors.")
    .argument("[file]", "path of the manifest, or - for standard input")
    .addOption(file())
    .action((named: string | undefined, options: { manifest: string }) =>
      checkFile(terminal, named ?? options.manifest),
    );
}

/** Reports every issue of a manifest, offline. Errors fail the command, warnings do not. */
async function checkFile(terminal: Terminal, source: string): Promise<void> {
  const name = source === "-" ? "<stdin>" : source;
  const text =
    source === "-" ? await readManifestInput(terminal.input()) : (await readManifestFile(source)).text;
  const { manifest, issues } = checkManifest(text);
  for (const line of issueLines(issues, name)) terminal.note(line);
  const warnings = issues.filter(({ severity }) => severity === "warning").length;
  const errors = issues.filter(isError).length;
  if (manifest === undefined || errors > 0)
    throw new Failure(`${name} has ${count(errors, "error")} and ${count(warnings, "warning")}.`);
  const suffix = warnings === 0 ? "" : `, with ${count(warnings, "warning")}`;
  terminal.result(
    visible(`${name} is a valid manifest for ${manifest.name}, version ${manifest.version}${suffix}.`),
  );
}

function count(number: number, noun: string): string {
  return `${number === 0 ? "no" : number} ${noun}${number === 1 ? "" : "s"}`;
}
