import { Command, CommanderError } from "commander";
import { type Issue, Problem } from "@/lib/contract/problem";
import { version } from "../package.json";
import { MANIFEST_FILE } from "@/lib/contract/names";
import { PlatformProblem } from "./platform/call-platform";
import { findCredentials, removeCredentials } from "./platform/credentials";
import type { CliEnvironment, Terminal } from "./terminal/environment";
import { codeSuffix, describeCode, EXIT, Failure, issueLines, visible } from "./terminal/failure";
import { login, type LoginOptions } from "./login";
import { addManifestCommands } from "./manifest-commands";
import { publish, type PublishOptions } from "./publish";
import { whoami } from "./platform/publish-api";

/** Runs one command and returns its exit status: 0, 1 for a failure, 2 for wrong usage, 130 if interrupted. */
export async function runProgram(
  argv: readonly string[],
  environment: CliEnvironment,
  terminal: Terminal,
): Promise<number> {
  try {
    await createProgram(environment, terminal).parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    return reportFailure(error, terminal);
  }
}

function createProgram(environment: CliEnvironment, terminal: Terminal): Command {
  const program = new Command("platform-app");
  program
    .description("Publish apps to the platform.")
    .version(version, "--version", "show the version of this command")
    .exitOverride()
    .showHelpAfterError("Run with --help to see all commands and options.")
    .configureOutput({
      writeOut: (text) => terminal.result(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    });
  program
    .command("login")
    .description("Log in with a client ID and API key from Organization → API Keys.")
    .option("--client-id <id>", "client ID (or PLATFORM_CLIENT_ID)")
    .option("--api-key <key>", "API key (or PLATFORM_API_KEY, which other users of this machine cannot see)")
    .option("--url <address>", "URL of the platform's gateway (or PLATFORM_URL)")
    .action((options: LoginOptions) => login(environment, terminal, options));
  program
    .command("logout")
    .description("Remove the platform's saved key. The key stays valid until it is revoked.")
    .action(async () => terminal.result(`Logged out of ${await removeCredentials(environment)}.`));
  program
    .command("whoami")
    .description("Show the organization this machine publishes for.")
    .action(() => showWhoami(environment, terminal));
  program
    .command("publish")
    .description("Publish an image under the next version number.")
    .argument("[image]", "name of a local image, or path of a `docker save` archive")
    .option("--manifest <file>", "path of the manifest, which gets the published version", MANIFEST_FILE)
    .option("--build <folder>", "build the image from this folder first")
    .option(
      "--add-manifest",
      `add the manifest to the image as a layer if /${MANIFEST_FILE} is missing or different`,
    )
    .option(
      "--from <reference>",
      "publish registry.example/app@sha256:… without sending it (REGISTRY_USERNAME and REGISTRY_PASSWORD if it is not public)",
    )
    .option("--notes <text|@file>", "release notes of the version, in Markdown")
    .action((source: string | undefined, options: PublishOptions) =>
      publish(environment, terminal, source, options),
    );
  addManifestCommands(program, environment, terminal);
  return program;
}

async function showWhoami(environment: CliEnvironment, terminal: Terminal): Promise<void> {
  const credentials = await findCredentials(environment);
  const { organization, apiKey } = await whoami(credentials);
  const key = apiKey === undefined ? "" : `, with the API key "${visible(apiKey.name)}"`;
  terminal.result(
    `${visible(organization.name ?? organization.slug)} (${visible(organization.slug)})${key}, at ${credentials.url}`,
  );
}

function reportFailure(error: unknown, terminal: Terminal): number {
  if (error instanceof Failure || error instanceof Problem) {
    const detail = error instanceof Problem ? error.detail : error.message;
    const isFurther = ({ message }: Issue) => !detail.includes(message);
    const further = error.issues.filter(isFurther);
    const code = error instanceof Problem || error instanceof PlatformProblem ? [error.code] : [];
    const included = error.issues.filter((issue) => !isFurther(issue)).map(describeCode);
    const shown = visible(detail) + codeSuffix([...code, ...included]);
    const next = error instanceof Failure ? error.next.map((line) => `  ${visible(line)}`) : [];
    for (const line of [shown, ...next, ...issueLines(further, MANIFEST_FILE)]) terminal.note(line);
    return error instanceof Failure ? error.status : EXIT.failed;
  }
  terminal.note(
    `platform-app crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return EXIT.failed;
}
