import type { Command } from "commander";
import type { CliContext } from "../terminal/environment";
import { writeBash } from "./bash";
import { describeWords, type CommandWords } from "./describe-words";
import { writeFish } from "./fish";
import { writeZsh } from "./zsh";

export type Shell = "bash" | "zsh" | "fish";

const WRITERS: Record<Shell, (commands: readonly CommandWords[]) => string> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

export function printCompletion({ terminal }: CliContext, program: Command, shell: Shell): void {
  const script = WRITERS[shell](describeWords(program));
  terminal.result(script);
  terminal.data({ shell, script });
}
