import { Command } from "commander";
import { EXIT } from "@/lib/contract/surface/cli-failures";
import {
  addCompletionCommands,
  addDevCommands,
  addInitCommands,
  addManifestCommands,
} from "./local-commands";
import { version } from "./package.json";
import {
  addAccountCommands,
  addCallsCommands,
  addListingCommands,
  addPublishCommands,
} from "./platform-commands";
import type { CliContext, CliEnvironment, Terminal } from "./terminal/environment";
import { reportFailure } from "./terminal/failure";
import { addGlobalOptions, applyGlobalOptions, withExamples } from "./terminal/options";

/** Runs one command and returns its exit status; see `EXIT`. */
export async function runProgram(
  argv: readonly string[],
  environment: CliEnvironment,
  terminal: Terminal,
): Promise<number> {
  const context = applyGlobalOptions(argv, { environment, terminal });
  try {
    await createProgram(context).parseAsync([...argv], { from: "user" });
    return EXIT.done;
  } catch (error) {
    return await reportFailure(error, context.terminal, async (code) =>
      (await import("./platform/credentials")).findHelp(context.environment, code),
    );
  }
}

/** All commands. The documentation and the completion of shells are generated from it. */
export function createProgram(context: CliContext): Command {
  const { terminal } = context;
  const program = new Command("platform-app");
  program
    .description("Create, test and publish apps for the App Hosting Platform.")
    .version(version, "--version", "show the version of platform-app")
    .exitOverride()
    // Commands have options of the same names, such as `logs --version`.
    .enablePositionalOptions()
    .showHelpAfterError("Run with --help to see all commands and options.")
    .configureOutput({
      // Help is text, with --json as well.
      writeOut: (text) => (terminal.json ? terminal.note : terminal.result)(text.trimEnd()),
      writeErr: (text) => terminal.json || terminal.note(text.trimEnd()),
    });
  addAccountCommands(program, context);
  addInitCommands(program, context);
  addManifestCommands(program, context);
  addDevCommands(program, context);
  addPublishCommands(program, context);
  addListingCommands(program, context);
  addCallsCommands(program, context);
  addCompletionCommands(program, context);
  addGlobalOptions(program);
  return withExamples(program, [
    "platform-app init",
    "platform-app dev",
    "platform-app validate",
    "platform-app login",
    "platform-app create",
    "platform-app publish --build .",
    "platform-app submit",
  ]);
}
