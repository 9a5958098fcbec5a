import type { Command } from "commander";
import { addAppOptions, type AppOptions } from "../manifest/app-options";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { SubmitOptions } from "./submit";
import type { VersionsOptions } from "./show-versions";

export function addListingCommands(program: Command, context: CliContext): void {
  const status = addAppOptions(
    program
      .command("status")
      .description(
        "Show an app's listing, review and instances, and what is missing before you can submit it.",
      ),
  ).action(async (options: AppOptions) => (await import("./show-status")).showStatus(context, options));
  withExamples(status, ["platform-app status", "platform-app status --app acme/vin-lookup --json"]);
  const versions = addAppOptions(
    program
      .command("versions")
      .description("List an app's versions, newest first.")
      .option("--all", "list all versions instead of the newest 50"),
  ).action(async (options: VersionsOptions) =>
    (await import("./show-versions")).showVersions(context, options),
  );
  withExamples(versions, ["platform-app versions", "platform-app versions --all --json"]);
  const submit = addAppOptions(
    program
      .command("submit")
      .description("Submit a version for review.")
      .argument("[version]", "number of the version (default: the newest)")
      .option("--note <text>", "note for the moderator, such as how to test the version")
      .option("--release-notes <text|@file>", "release notes of the version, in Markdown")
      .option("--older", "submit the version even if a newer one is already verified"),
  ).action(async (version: string | undefined, options: SubmitOptions) =>
    (await import("./submit")).submit(context, version, options),
  );
  withExamples(submit, [
    "platform-app submit",
    'platform-app submit 1.4.0 --note "Test it with the VIN YV1CZ852851194259."',
  ]);
  const withdraw = addAppOptions(
    program
      .command("withdraw")
      .description("Withdraw a pending review, for example to submit a newer version."),
  ).action(async (options: AppOptions) => (await import("./submit")).withdraw(context, options));
  withExamples(withdraw, ["platform-app withdraw"]);
}
