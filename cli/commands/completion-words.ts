/** What can follow each command, read from commander's program. The three shells' scripts are written from it. */
import type { Command } from "commander";

/** What an argument or the value of an option can be. Nothing is offered for `text`. */
export type Value =
  { kind: "words"; words: readonly string[] } | { kind: "file" } | { kind: "folder" } | { kind: "text" };

interface OptionWords {
  /** `-f` and `--follow`. */
  flags: readonly string[];
  description: string;
  /** Undefined for an option without a value. */
  value: Value | undefined;
}

interface ArgumentWords {
  value: Value;
  /** Whether it can be repeated. */
  isLast: boolean;
}

export interface CommandWords {
  /** `manifest pull`; empty for the program itself. */
  path: string;
  commands: readonly { name: string; description: string }[];
  options: readonly OptionWords[];
  arguments: readonly ArgumentWords[];
}

/** The program and all commands below it. */
export function describeWords(program: Command): CommandWords[] {
  return describeCommand(program, "");
}

function describeCommand(command: Command, path: string): CommandWords[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command).filter((each) => each.name() !== "help");
  const inner = visible.flatMap((each) =>
    describeCommand(each, path === "" ? each.name() : `${path} ${each.name()}`),
  );
  const usual = inner.find((each) => each.path === `${path} ${findDefault(command)}`);
  const own: CommandWords = {
    path,
    commands: visible.map((each) => ({ name: each.name(), description: each.description() })),
    options: help.visibleOptions(command).map((option) => ({
      flags: [option.short, option.long].flatMap((flag) => flag ?? []),
      description: option.description,
      value: option.required || option.optional ? describeValue(option.flags, option.argChoices) : undefined,
    })),
    arguments: command.registeredArguments.map((argument) => ({
      value: describeValue(argument.name(), argument.argChoices),
      isLast: argument.variadic,
    })),
  };
  const options = [...(usual?.options ?? []), ...own.options];
  const isFirst = ({ flags }: OptionWords, index: number) =>
    options.findIndex((each) => each.flags.join() === flags.join()) === index;
  return [{ ...own, options: options.filter(isFirst) }, ...inner];
}

/** The command that `calls` without another word runs: `list`. Commander does not expose it. */
function findDefault(command: Command): unknown {
  return Reflect.get(command, "_defaultCommandName");
}

/** @param name the argument's, or the option's flags, whose placeholder says what it takes: `--manifest <file>` */
function describeValue(name: string, choices: readonly string[] | undefined): Value {
  if (choices !== undefined) return { kind: "words", words: choices };
  const placeholder = /<(.*)>/.exec(name)?.[1] ?? name;
  if (placeholder === "folder") return { kind: "folder" };
  return { kind: /^(files?|dockerfile|image)$/.test(placeholder) ? "file" : "text" };
}

export interface Branch {
  /** As a `case` has them. */
  patterns: readonly string[];
  value: Value;
}

interface Cases {
  /** Words that lead to another command: `manifest` and `pull` to `manifest pull`. */
  entered: { pattern: string; path: string }[];
  /** Options that take the next word, and what that can be. */
  valued: string[];
  values: Branch[];
  inner: { pattern: string; commands: CommandWords["commands"] }[];
  options: { path: string; flags: { flag: string; description: string }[] }[];
  /** Arguments, by their position. */
  rest: Branch[];
}

export function listCases(commands: readonly CommandWords[]): Cases {
  const valued = commands.flatMap(({ path, options }) =>
    options.flatMap((option) => (option.value === undefined ? [] : listValued(path, option, option.value))),
  );
  const withChildren = commands.filter((command) => command.commands.length > 0);
  return {
    entered: withChildren.flatMap(({ path, commands: children }) =>
      children.map(({ name }) => ({ pattern: quoted(`${path} ${name}`), path: `${path} ${name}`.trim() })),
    ),
    valued: valued.flatMap(({ patterns }) => patterns),
    values: mergeBranches(valued),
    inner: withChildren.map((command) => ({
      pattern: quoted(`${command.path}:0`),
      commands: command.commands,
    })),
    options: commands.map(({ path, options }) => ({
      path,
      flags: options.flatMap(({ flags, description }) => flags.map((flag) => ({ flag, description }))),
    })),
    rest: mergeBranches(
      commands.flatMap(({ path, arguments: all }) =>
        all.map(({ value, isLast }, index) => ({
          patterns: [isLast ? `${quoted(`${path}:`)}*` : quoted(`${path}:${index}`)],
          value,
        })),
      ),
    ),
  };
}

function listValued(path: string, { flags }: OptionWords, value: Value): Branch {
  return { patterns: flags.map((flag) => quoted(`${path} ${flag}`)), value };
}

/** One branch for each value that something is offered for. */
function mergeBranches(branches: readonly Branch[]): Branch[] {
  const offered = branches.filter(({ value }) => value.kind !== "text");
  const byValue = new Map<string, Branch>();
  for (const { patterns, value } of offered) {
    const key = JSON.stringify(value);
    byValue.set(key, { patterns: [...(byValue.get(key)?.patterns ?? []), ...patterns], value });
  }
  return [...byValue.values()];
}

/** Commands, flags and choices have no characters that a shell expands. */
export function quoted(text: string): string {
  return `"${text}"`;
}
