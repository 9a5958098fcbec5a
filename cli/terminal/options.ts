/** The options that every command has. */
import { type Command, Option } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { type CliContext, toJsonTerminal } from "./environment";

/** Adds them to each command. Groups of commands accept them as well, before the command's name, but don't list them. */
export function addGlobalOptions(command: Command): void {
  for (const each of command.commands) addGlobalOptions(each);
  const isGroup = command.commands.length > 0;
  for (const option of [
    new Option("--json", "print the result as JSON, one line for each entry"),
    new Option("--profile <name>", "use this saved login (or PLATFORM_PROFILE)"),
    new Option("--no-color", "print without color (or NO_COLOR)"),
  ])
    command.addOption(option.hideHelp(isGroup));
}

/**
 * Reads them before the arguments are parsed, so that a wrong usage is reported in the requested way, too. What follows `--` belongs to
 * another command.
 */
export function applyGlobalOptions(
  argv: readonly string[],
  { environment, terminal }: CliContext,
): CliContext {
  const end = argv.indexOf("--");
  const own = end === -1 ? argv : argv.slice(0, end);
  const profile = readProfile(own) ?? environment.profile;
  const plain = own.includes("--no-color") ? { ...terminal, color: false } : terminal;
  return {
    environment: { ...environment, profile },
    terminal: own.includes("--json") ? toJsonTerminal(plain) : plain,
  };
}

function readProfile(argv: readonly string[]): string | undefined {
  const at = argv.findIndex((argument) => argument === "--profile" || argument.startsWith("--profile="));
  const found = argv[at];
  return found === "--profile" ? argv[at + 1] : found?.slice("--profile=".length);
}

export interface AppOptions {
  app?: string;
  manifest: string;
}

export function addAppOptions(command: Command): Command {
  return command
    .option("--app <organization/app>", "name of the app, if this folder has no manifest")
    .option("--manifest <file>", "path to the manifest that names the app", MANIFEST_FILE);
}

const examplesByCommand = new WeakMap<Command, readonly string[]>();

/** Adds examples to the help of a command. The documentation shows them, too. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  examplesByCommand.set(command, examples);
  return command.addHelpText(
    "after",
    ["", examples.length === 1 ? "Example:" : "Examples:", ...examples.map((line) => `  ${line}`)].join("\n"),
  );
}

export function listExamples(command: Command): readonly string[] {
  return examplesByCommand.get(command) ?? [];
}
