import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { LOG_LEVELS } from "@/lib/contract/runtime/app-log";
import { CATEGORIES } from "@/lib/contract/catalog/listing-terms";
import type { BuildOptions } from "./commands/build";
import type { CallsOptions } from "./commands/calls";
import type { CreateOptions } from "./commands/create";
import type { LoginOptions } from "./commands/login";
import type { LogsOptions } from "./commands/logs";
import type { LogoutOptions } from "./commands/profiles";
import type { PublishOptions } from "./commands/publish";
import type { ReplayOptions } from "./commands/replay";
import type { VersionsOptions, WebPage } from "./commands/status";
import type { SubmitOptions } from "./commands/submit";
import type { CliContext } from "./terminal/environment";
import { addAppOptions, type AppOptions, withExamples } from "./terminal/options";

export function addAccountCommands(program: Command, context: CliContext): void {
  const login = program
    .command("login")
    .description("Log in with an API key from Publish apps → API keys, and save it as a profile.")
    .option("--client-id <id>", "client ID of the key (or set PLATFORM_CLIENT_ID)")
    .option(
      "--api-key <key>",
      "API key (or set PLATFORM_API_KEY, which other users of this machine can't see)",
    )
    .option("--url <address>", "URL of the platform's gateway or pages (or set PLATFORM_URL)")
    .action(async (options: LoginOptions) => (await import("./commands/login")).login(context, options));
  withExamples(login, [
    "platform-app login",
    "platform-app login --url https://gateway.example.com",
    "platform-app login --url https://staging.example.com --profile staging",
  ]);
  const logout = program
    .command("logout")
    .description("Remove the profile in use. Its API key stays valid until you revoke it.")
    .option("--all", "remove all profiles")
    .action(async (options: LogoutOptions) => (await import("./commands/profiles")).logout(context, options));
  withExamples(logout, ["platform-app logout", "platform-app logout --all"]);
  const whoami = program
    .command("whoami")
    .description("Show the organization that you are logged in to, and the scopes of your API key.")
    .action(async () => (await import("./commands/login")).showWhoami(context));
  withExamples(whoami, ["platform-app whoami", "platform-app whoami --json"]);
  addProfileCommands(program, context);
}

function addProfileCommands(program: Command, context: CliContext): void {
  const profiles = program
    .command("profiles")
    .description("Manage saved logins for several platforms or organizations.");
  const list = profiles
    .command("list", { isDefault: true })
    .description("List saved logins. `platform-app profiles` does the same.")
    .action(async () => (await import("./commands/profiles")).listProfiles(context));
  withExamples(list, ["platform-app profiles", "platform-app profiles list --json"]);
  const use = profiles
    .command("use")
    .description("Use this profile from now on, unless --profile or PLATFORM_PROFILE names another one.")
    .argument("<name>", "name of the profile")
    .action(async (name: string) => (await import("./commands/profiles")).useProfile(context, name));
  withExamples(use, ["platform-app profiles use staging"]);
  const remove = profiles
    .command("remove")
    .description("Remove a saved login. Its API key stays valid until you revoke it.")
    .argument("<name>", "name of the profile")
    .action(async (name: string) => (await import("./commands/profiles")).forgetProfile(context, name));
  withExamples(remove, ["platform-app profiles remove staging"]);
}

const WEB_PAGES: readonly WebPage[] = ["listing", "docs", "logs", "calls", "keys"];

export function addPublishCommands(program: Command, context: CliContext): void {
  const create = program
    .command("create")
    .description(
      "Create the listing of an app, which `platform-app publish` needs. If it exists already, nothing changes.",
    )
    .argument("[organization/app]", "name of the app (default: the name in the manifest)")
    .option("--title <text>", "name that customers see")
    .option("--description <text|@file>", "what the app does, in Markdown")
    .option("--tagline <text>", "what it does, in one line")
    .addOption(new Option("--category <name>", "category in the marketplace").choices(CATEGORIES))
    .option("--manifest <file>", "path to the manifest that names the app", MANIFEST_FILE)
    .action(async (name: string | undefined, options: CreateOptions) =>
      (await import("./commands/create")).create(context, name, options),
    );
  withExamples(create, [
    "platform-app create",
    'platform-app create acme/vin-lookup --title "VIN lookup" --description "Looks up a vehicle by its VIN."',
    'platform-app create --title "VIN lookup" --description @README.md --category data',
  ]);
  const build = program
    .command("build")
    .description("Check the manifest, then build the app's image for amd64.")
    .argument("[folder]", "folder of the app", ".")
    .option("--tag <name>", "name of the image (default: the app's name, such as acme/vin-lookup:latest)")
    .option("--file <dockerfile>", "Dockerfile in the app's folder", "Dockerfile")
    .option("--build-arg <name=value>", "pass an argument to the build (can be repeated)", collect)
    .option("--manifest <file>", `path to the manifest (default: ${MANIFEST_FILE} in the app's folder)`)
    .action(async (folder: string, options: BuildOptions) =>
      (await import("./commands/build")).build(context, folder, options),
    );
  withExamples(build, [
    "platform-app build",
    "platform-app build . --tag acme/vin-lookup:1.4.0 --build-arg BASE=node:24-slim",
  ]);
  const publish = program
    .command("publish")
    .description("Publish an image under the next version number.")
    .argument(
      "[image]",
      "name of a local image, or path to a `docker save` archive; with --build, the name of the image to build (default: the app's name, such as acme/vin-lookup:latest)",
    )
    .option(
      "--manifest <file>",
      "path to the manifest, which is updated with the published version",
      MANIFEST_FILE,
    )
    .option("--build <folder>", "build the image from this folder first")
    .option("--build-arg <name=value>", "pass an argument to the build (can be repeated)", collect)
    .option("--no-bump", "publish the version number in the manifest without increasing it")
    .option(
      "--add-manifest",
      `add the manifest to the image as a layer if /${MANIFEST_FILE} is missing or different`,
    )
    .option(
      "--from <reference>",
      "publish an image from a registry, such as registry.example/app@sha256:… (if it is private, set REGISTRY_USERNAME and REGISTRY_PASSWORD)",
    )
    .option(
      "--platform <os/arch[/variant]>",
      "which image to publish, if there are several for linux/amd64, such as linux/amd64/v2",
    )
    .option("--notes <text|@file>", "release notes of the version, in Markdown")
    .action(async (image: string | undefined, options: PublishOptions) =>
      (await import("./commands/publish")).publish(context, image, options),
    );
  withExamples(publish, [
    "platform-app publish --build .",
    "platform-app publish --build . --notes @release-notes.md",
    "platform-app publish acme/vin-lookup:latest",
    "platform-app version 2.0.0 && platform-app publish acme/vin-lookup:latest --no-bump",
    "platform-app publish --from registry.example.com/vin-lookup@sha256:…",
  ]);
  const open = addAppOptions(
    program
      .command("open")
      .description("Open a page of the app in the browser, or print its URL if no browser is available.")
      .addArgument(new Argument("[page]", "page to open").choices(WEB_PAGES).default("listing")),
  ).action(async (page: WebPage, options: AppOptions) =>
    (await import("./commands/status")).openPage(context, page, options),
  );
  withExamples(open, ["platform-app open", "platform-app open logs", "platform-app open keys --json"]);
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function addListingCommands(program: Command, context: CliContext): void {
  const status = addAppOptions(
    program
      .command("status")
      .description(
        "Show an app's listing, review and instances, and what is missing. If a required item is missing, the exit status is 1.",
      ),
  ).action(async (options: AppOptions) => (await import("./commands/status")).showStatus(context, options));
  withExamples(status, ["platform-app status", "platform-app status --app acme/vin-lookup --json"]);
  const versions = addAppOptions(
    program
      .command("versions")
      .description("List an app's versions, newest first.")
      .option("--all", "list all versions instead of the newest 50"),
  ).action(async (options: VersionsOptions) =>
    (await import("./commands/status")).showVersions(context, options),
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
    (await import("./commands/submit")).submit(context, version, options),
  );
  withExamples(submit, [
    "platform-app submit",
    'platform-app submit 1.4.0 --note "Test it with the VIN YV1CZ852851194259."',
  ]);
  const withdraw = addAppOptions(
    program
      .command("withdraw")
      .description("Withdraw a pending review, for example to submit a newer version."),
  ).action(async (options: AppOptions) => (await import("./commands/submit")).withdraw(context, options));
  withExamples(withdraw, ["platform-app withdraw"]);
}

const SINCE = "start at this time: 30s, 10m, 2h or 7d ago, or a time such as 2026-01-31T12:00:00Z";

export function addCallsCommands(program: Command, context: CliContext): void {
  const logs = addAppOptions(
    program
      .command("logs")
      .description("Show an app's log, oldest entries first.")
      .option("-f, --follow", "keep showing new entries until Ctrl-C")
      .option("--since <time>", SINCE)
      .option(
        "-n, --lines <number>",
        "number of entries to show (default: 100, or 10000 with --since)",
        readCount,
      )
      .option("--version <number>", "version of the app (default: the one that logged last)")
      .option("--level <level>", `only entries of this level: ${LOG_LEVELS.join(", ")}`, readLevel)
      .option("--search <text>", "only lines that contain this text"),
  ).action(async (options: LogsOptions) => (await import("./commands/logs")).showLogs(context, options));
  withExamples(logs, [
    "platform-app logs -f",
    "platform-app logs --since 10m --level error",
    "platform-app logs --version 1.4.0 --search timeout --json",
  ]);
  const calls = program
    .command("calls")
    .description("List calls to your own installations of an app, such as Test Launches.");
  const list = addAppOptions(
    calls
      .command("list", { isDefault: true })
      .description("List calls, newest last.")
      .option("-f, --follow", "keep showing calls as they finish, until Ctrl-C")
      .option("--since <time>", SINCE)
      .option(
        "-n, --lines <number>",
        "number of calls to show (default: 50, or 10000 with --since)",
        readCount,
      )
      .option("--failed", "only calls that failed")
      .option("--dead", "only deliveries that are no longer retried")
      .option("--event <type>", "only event types and operations that start with this text"),
  ).action(async (options: CallsOptions) => (await import("./commands/calls")).showCalls(context, options));
  withExamples(list, ["platform-app calls --failed --since 1h", "platform-app calls list -f --json"]);
  const show = addAppOptions(
    calls
      .command("show")
      .description("Show one call, with its payload, response and attempts.")
      .argument("<id>", "ID of the call, from `platform-app calls`"),
  ).action(async (id: string, options: AppOptions) =>
    (await import("./commands/calls")).showCall(context, id, options),
  );
  withExamples(show, ["platform-app calls show 019ab0c1-7e2d-7000-8000-000000000001"]);
  const replay = addAppOptions(
    program
      .command("replay")
      .description("Resend dead deliveries to your Test Launches.")
      .argument("[id...]", "IDs of calls or deliveries")
      .option("--all", "all dead deliveries that match the other options")
      .option("--since <time>", `with --all: ${SINCE}`)
      .option("--event <type>", "with --all: only event types that start with this text")
      .option("--path <path>", "with --all: only deliveries to this path in the manifest")
      .option("--delivered", "also resend deliveries that the app has accepted"),
  ).action(async (ids: string[], options: ReplayOptions) =>
    (await import("./commands/replay")).replayDeliveries(context, ids, options),
  );
  withExamples(replay, [
    "platform-app replay 019ab0c1-7e2d-7000-8000-000000000001",
    "platform-app replay --all --since 1h --event policy.issued",
  ]);
}

function readCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= 10_000) return count;
  throw new InvalidArgumentError("Use a number from 1 to 10000.");
}

function readLevel(text: string): string {
  if (LOG_LEVELS.some((level) => level === text)) return text;
  throw new InvalidArgumentError(`Use one of ${LOG_LEVELS.join(", ")}.`);
}
