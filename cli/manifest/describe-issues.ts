/** Issues of a source text as compilers show them: where, what, the line with the part underlined, and how to fix it. */
import type { Issue } from "@/lib/contract/problem";
import { visible } from "../terminal/failure";
import type { Terminal } from "../terminal/environment";
import { style } from "../terminal/style";
import { showSource } from "./show-source";

export interface Source {
  /** As it is shown: a path, or `<stdin>`. */
  name: string;
  text: string;
}

export function describeIssues(
  issues: readonly Issue<string>[],
  { name, text }: Source,
  terminal: Pick<Terminal, "color" | "columns">,
): string[] {
  const { bold, cyan, dim, red, yellow } = style(terminal);
  const paint = { error: red, warning: yellow, hint: cyan };
  return issues.flatMap(({ line = 1, column = 1, severity = "error", code, message, hint }) => {
    const number = String(line);
    const gutter = `${" ".repeat(number.length)} ${dim("|")}`;
    const shown = showSource(text, line, column, Math.max(40, terminal.columns - number.length - 5));
    const lines = [
      `${bold(`${visible(name)}:${line}:${column}`)} ${paint[severity](severity)} ${dim(code)} ${visible(message)}`,
      `  ${dim(number)} ${dim("|")} ${shown.line}`,
      `  ${gutter} ${paint[severity](shown.mark)}`,
    ];
    return [...lines, ...(hint === undefined ? [] : [`  ${gutter} ${visible(hint)}`]), ""];
  });
}
