import { type Command, Option } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { SyncOptions } from "./sync-manifest";
import type { ValidateOptions } from "./validate";

export function addManifestCommands(program: Command, context: CliContext): void {
  const file = () => new Option("--manifest <file>", "path to the manifest").default(MANIFEST_FILE);
  const app = () => new Option("--app <organization/app>", "name of the app, if the file doesn't contain it");
  const manifest = program
    .command("manifest")
    .description("Sync the manifest with the editor's draft, or check it.");
  const pull = manifest
    .command("pull")
    .description("Save the platform's draft to the file, unless the file has local changes.")
    .addOption(file())
    .addOption(app())
    .option("--force", "overwrite local changes, but first save a copy of the file as .orig")
    .action(async (options: SyncOptions) => (await import("./sync-manifest")).pullManifest(context, options));
  withExamples(pull, ["platform-app manifest pull", "platform-app manifest pull --app acme/vin-lookup"]);
  const push = manifest
    .command("push")
    .description(
      "Save the file as the platform's draft, unless the draft has changed since the last pull or push.",
    )
    .addOption(file())
    .addOption(app())
    .option("--force", "overwrite the draft, even if it has changed")
    .action(async (options: SyncOptions) => (await import("./sync-manifest")).pushManifest(context, options));
  withExamples(push, ["platform-app manifest push", "platform-app manifest push --force"]);
  const version = program
    .command("version")
    .description("Change the version number in the manifest.")
    .argument("<step>", "major, minor, patch, or a number such as 2.0.0")
    .addOption(file())
    .action(async (step: string, options: { manifest: string }) =>
      (await import("./set-version")).setVersion(context, step, options),
    );
  withExamples(version, ["platform-app version minor", "platform-app version 2.0.0"]);
  addValidate(manifest.command("check").description("Same as `platform-app validate`."), context);
  addValidate(
    program
      .command("validate")
      .description(
        "Check manifests with the platform's validator. Works offline. If a manifest has errors, the exit status is 4.",
      ),
    context,
  );
}

function addValidate(command: Command, context: CliContext): void {
  command
    .argument("[files...]", `paths to manifests, or - for standard input (default: ${MANIFEST_FILE})`)
    .option("--strict", "fail on warnings, too")
    .action(async (files: string[], options: ValidateOptions) =>
      (await import("./validate")).validate(context, files, options),
    );
  const name = command.parent?.name() === "manifest" ? "manifest check" : "validate";
  withExamples(command, [
    `platform-app ${name}`,
    `platform-app ${name} --strict --json`,
    `cat platform-app.json | platform-app ${name} -`,
  ]);
}
