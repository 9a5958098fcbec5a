/** Every `platform-app` command that is shown anywhere has the arguments and options of the real program. */
import { type Command, CommanderError } from "commander";
import { createProgram } from "@/cli/program";
import { readCliEnvironment } from "@/cli/terminal/environment";
import { listExamples } from "@/cli/terminal/options";
import { recordTerminal } from "@/cli/terminal/test-terminal";
import { type Document, listFences } from "./read-documents";

interface ShownCommand {
  at: string;
  /** From `platform-app` to the end of the command. */
  words: string[];
}

export function listCommands(documents: readonly Document[]): ShownCommand[] {
  const inFences = documents.flatMap((document) =>
    listFences(document)
      .filter(({ fence }) => ["sh", "yaml", "make"].includes(fence.language))
      .flatMap(({ line, code }) =>
        code
          .replaceAll("\\\n", "  ")
          .split("\n")
          .flatMap((text, index) => splitCommands(text, `${document.file}:${line + 1 + index}`)),
      ),
  );
  const inHelp = listAll(newProgram()).flatMap((command) =>
    listExamples(command).flatMap((text) => splitCommands(text, `help of ${command.name()}`)),
  );
  return [...inFences, ...inHelp];
}

export function checkCommands(commands: readonly ShownCommand[]): string[] {
  return commands.flatMap(({ at, words }) => {
    const problem = parse(words.slice(1));
    return problem === undefined ? [] : [`${at} ${words.join(" ")}: ${problem}`];
  });
}

/** The commands of a line that start with `platform-app`, without what they are piped into. */
function splitCommands(line: string, at: string): ShownCommand[] {
  return splitWords(line)
    .reduce<string[][]>(
      (commands, word) => {
        if (["&&", "||", "|", ";", ">", "2>", "<"].includes(word)) commands.push([]);
        else commands.at(-1)?.push(word);
        return commands;
      },
      [[]],
    )
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter(([name]) => name === "platform-app")
    .map((words) => ({ at, words }));
}

/** As a shell splits them, without expansions. A comment ends the line. */
function splitWords(line: string): string[] {
  const words = [...line.matchAll(/#.*$|"((?:[^"\\]|\\.)*)"|'([^']*)'|[^\s"'#]\S*/g)];
  const comment = words.findIndex(([text]) => text.startsWith("#"));
  return words
    .slice(0, comment < 0 ? undefined : comment)
    .map(([text, double, single]) => double ?? single ?? text);
}

/** What is wrong; undefined if the program would run it. Nothing is run: actions are replaced. */
function parse(words: string[]): string | undefined {
  const program = newProgram();
  const said: string[] = [];
  for (const command of listAll(program)) {
    command
      .exitOverride()
      .configureOutput({ writeOut: () => undefined, writeErr: (text) => said.push(text) });
    if (command.commands.length === 0) command.action(() => undefined);
  }
  try {
    program.parse(words, { from: "user" });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    return said[0]?.trim() ?? String(error);
  }
}

export function newProgram(): Command {
  return createProgram({ environment: readCliEnvironment({}), terminal: recordTerminal() });
}

export function listAll(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listAll)];
}
