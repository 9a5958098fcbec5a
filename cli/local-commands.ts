import { Argument, type Command, Option } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import type { Shell } from "./commands/completion";
import type { InitOptions } from "./commands/init";
import type { SyncOptions } from "./commands/sync-manifest";
import { TEMPLATE_NAMES } from "./commands/templates";
import type { ValidateOptions } from "./commands/validate";
import type { CallOptions } from "./dev/call";
import type { DevOptions } from "./dev/dev";
import type { CliContext } from "./terminal/environment";
import { withExamples } from "./terminal/options";

export function addInitCommands(program: Command, context: CliContext): void {
  const init = program
    .command("init")
    .description("Create an app from a template, or a manifest for an existing app.")
    .argument(
      "[folder]",
      "folder of the app (default: the current folder if it is empty, otherwise a new one)",
    )
    .addOption(new Option("--template <name>", "language of the app").choices(TEMPLATE_NAMES))
    .option("--name <organization/app>", "name of the app, which starts with your organization's slug")
    .option("--manifest-only", "create only the manifest and its schema, for an existing app")
    .option("--force", "add missing files to a folder that isn't empty, without changing existing files")
    .option("-y, --yes", "don't ask any questions")
    .action(async (folder: string | undefined, options: InitOptions) =>
      (await import("./commands/init")).init(context, folder, options),
    );
  withExamples(init, [
    "platform-app init",
    "platform-app init vin-lookup --template node --name acme/vin-lookup --yes",
    "platform-app init --manifest-only --name acme/vin-lookup",
  ]);
}

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
    .action(async (options: SyncOptions) =>
      (await import("./commands/sync-manifest")).pullManifest(context, options),
    );
  withExamples(pull, ["platform-app manifest pull", "platform-app manifest pull --app acme/vin-lookup"]);
  const push = manifest
    .command("push")
    .description(
      "Save the file as the platform's draft, unless the draft has changed since the last pull or push.",
    )
    .addOption(file())
    .addOption(app())
    .option("--force", "overwrite the draft, even if it has changed")
    .action(async (options: SyncOptions) =>
      (await import("./commands/sync-manifest")).pushManifest(context, options),
    );
  withExamples(push, ["platform-app manifest push", "platform-app manifest push --force"]);
  const version = program
    .command("version")
    .description("Change the version number in the manifest.")
    .argument("<step>", "major, minor, patch, or a number such as 2.0.0")
    .addOption(file())
    .action(async (step: string, options: { manifest: string }) =>
      (await import("./commands/set-version")).setVersion(context, step, options),
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
      (await import("./commands/validate")).validate(context, files, options),
    );
  const name = command.parent?.name() === "manifest" ? "manifest check" : "validate";
  withExamples(command, [
    `platform-app ${name}`,
    `platform-app ${name} --strict --json`,
    `cat platform-app.json | platform-app ${name} -`,
  ]);
}

const collect = (value: string, before: string[] = []) => [...before, value];

export function addDevCommands(program: Command, context: CliContext): void {
  const dev = program
    .command("dev")
    .description(
      "Run the app on this machine with made-up customers, and restart it when its files change. Works offline.",
    )
    .argument("[command...]", "command that starts the app instead of its Dockerfile, after --")
    .option("--manifest <file>", "path to the manifest; its folder is watched", MANIFEST_FILE)
    .option("--port <number>", "port of the page and the state API (another one if it is taken)", "4700")
    .option("--no-container", "run the app as a process, even if there is a container engine")
    .option("--file <dockerfile>", "Dockerfile to build the image from, in the app's folder", "Dockerfile")
    .option("--build-arg <name=value>", "pass an argument to the build (can be repeated)", collect)
    .option("--no-browser", "don't open the page in a browser")
    .option("--once", "start the app, send every declared call, run all drills, and exit: for CI")
    .action(async (command: string[], options: Omit<DevOptions, "version">) =>
      (await import("./dev/dev")).dev(context, command, { ...options, version: program.version() ?? "" }),
    );
  withExamples(dev, [
    "platform-app dev",
    "platform-app dev -- node server.js",
    "platform-app dev --once --json",
  ]);
  const call = program
    .command("call")
    .description(
      "Send a call to the app that `platform-app dev` runs in this folder, and print the response.",
    )
    .argument("<route>", "path of a declared route, such as /autofill, or a lifecycle event, such as install")
    .option("--customer <name>", "name of a made-up customer, or the start of it (default: the first)")
    .option("--name <name>", "event type or operation (default: the first that the route accepts)")
    .option("--data <json|@file>", "payload (default: a sample of the customer's product)")
    .option("--method <method>", "method, for an endpoint")
    .option("--manifest <file>", "path to the manifest, whose folder dev runs in", MANIFEST_FILE)
    .action(async (route: string, options: CallOptions) =>
      (await import("./dev/call")).call(context, route, options),
    );
  withExamples(call, [
    "platform-app call /autofill",
    "platform-app call /events --name policy.issued --customer summit",
    "platform-app call /autofill --data @payload.json",
  ]);
}

const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

export function addCompletionCommands(program: Command, context: CliContext): void {
  const completion = program
    .command("completion")
    .description("Print a script that completes commands and options in your shell.")
    .addArgument(
      new Argument(
        "<shell>",
        "your shell, which loads the script in ~/.bashrc, ~/.zshrc or config.fish",
      ).choices(SHELLS),
    )
    .action(async (shell: Shell) =>
      (await import("./commands/completion")).printCompletion(context, program, shell),
    );
  withExamples(completion, [
    'eval "$(platform-app completion bash)"',
    'eval "$(platform-app completion zsh)"',
    "platform-app completion fish | source",
  ]);
}
