import { Argument, type Command } from "commander";
import type { CliContext } from "../terminal/environment";
import { withExamples } from "../terminal/examples";
import type { Shell } from "./print-completion";

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
      (await import("./print-completion")).printCompletion(context, program, shell),
    );
  withExamples(completion, [
    'eval "$(platform-app completion bash)"',
    'eval "$(platform-app completion zsh)"',
    "platform-app completion fish | source",
  ]);
}
