/** The page of the command line, written from the program itself: `npm run docs:cli`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Argument, Command, Option } from "commander";
import { listExamples } from "@/cli/terminal/options";
import { EXIT } from "@/lib/contract/surface/cli-failures";
import { listAll, newProgram } from "./check-commands";
import { GUIDE } from "./read-documents";

export const COMMANDS_FILE = path.join(GUIDE, "cli.md");

/** Below this heading, everything is written from the program. */
const HEADING = "## Commands";
const GLOBAL_OPTIONS = ["--json", "--profile", "--no-color", "--help"];

const STATUS_TEXTS: Record<keyof typeof EXIT, string> = {
  done: "success",
  failed: "failed; the message says why",
  usage: "wrong usage: an argument or option is missing, unknown or invalid",
  notAllowed: "not logged in, or the API key doesn't allow this",
  invalid: "the manifest or the image is not valid",
  unreachable: "the platform can't be reached, or is busy",
  interrupted: "interrupted with Ctrl-C",
};

/** The whole page: what is written by hand, then the exit statuses and the commands. */
export function describeCommands(): string {
  const [text = ""] = readFileSync(COMMANDS_FILE, "utf8").split(`\n${HEADING}\n`);
  const commands = listAll(newProgram()).filter(({ commands: children }) => children.length === 0);
  return `${[text.trimEnd(), HEADING, ...commands.map(describeCommand), "## Exit statuses", listStatuses()].join("\n\n")}\n`;
}

function describeCommand(command: Command): string {
  const options = command.options.filter(
    (option) => !option.hidden && !GLOBAL_OPTIONS.includes(option.long ?? ""),
  );
  const rows = [
    ...command.registeredArguments.map((argument) => [
      showArgument(argument),
      argument.description + describeChoices(argument) + describeDefault(argument.defaultValue),
    ]),
    ...options.map((option) => [
      `\`${option.flags}\``,
      option.description + describeChoices(option) + describeDefault(option.defaultValue),
    ]),
  ];
  const examples = listExamples(command);
  return [
    `### ${nameCommand(command)}`,
    command.description(),
    ...(rows.length === 0 ? [] : [toTable(["argument or option", "meaning"], rows)]),
    ...(examples.length === 0
      ? []
      : [`\`\`\`sh by=tests/docs/check-docs.test.ts\n${examples.join("\n")}\n\`\`\``]),
  ].join("\n\n");
}

/** Without the program's own name: `manifest pull`. */
function nameCommand(command: Command): string {
  const parent = command.parent;
  return parent?.parent ? `${nameCommand(parent)} ${command.name()}` : command.name();
}

function showArgument(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return `\`${argument.required ? `<${name}>` : `[${name}]`}\``;
}

function describeChoices({ argChoices }: Argument | Option): string {
  return argChoices === undefined ? "" : `: ${argChoices.map((choice) => `\`${choice}\``).join(", ")}`;
}

function describeDefault(value: Option["defaultValue"]): string {
  return typeof value === "string" && value !== "" ? ` (default: \`${value}\`)` : "";
}

function listStatuses(): string {
  const names = Object.keys(EXIT).filter((name): name is keyof typeof EXIT => Object.hasOwn(EXIT, name));
  return toTable(
    ["status", "meaning"],
    names.map((name) => [String(EXIT[name]), STATUS_TEXTS[name]]),
  );
}

/** With aligned columns, as the formatter writes it. */
export function toTable(head: string[], rows: string[][]): string {
  const all = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const toLine = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = [], ...others] = all;
  return [toLine(first), toLine(widths.map((width) => "-".repeat(width))), ...others.map(toLine)].join("\n");
}
