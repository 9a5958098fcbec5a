import type { Command } from "commander";

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
