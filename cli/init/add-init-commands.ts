import { type Command, Option } from "commander";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { InitOptions } from "./choose-app";
import { TEMPLATE_NAMES } from "./templates";

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
      (await import("./init")).init(context, folder, options),
    );
  withExamples(init, [
    "platform-app init",
    "platform-app init vin-lookup --template node --name acme/vin-lookup --yes",
    "platform-app init --manifest-only --name acme/vin-lookup",
  ]);
}
