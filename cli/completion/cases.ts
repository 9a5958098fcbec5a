/** The branches of the `case` statements that the shells have in common. */
import type { CommandWords, OptionWords, Value } from "./describe-words";

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
