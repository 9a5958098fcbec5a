import { inspect } from "node:util";
import type { Terminal } from "./environment";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "cyan" | "underline";

/** Styles texts for a terminal. Without color, each function returns its text: `style(terminal).red("failed")`. */
export function style({ color }: Pick<Terminal, "color">): Record<Style, (text: string) => string> {
  const paint = (name: Style) => (text: string) => {
    const [start, end] = inspect.colors[name] ?? [];
    return color && start !== undefined ? `\u001B[${start}m${text}\u001B[${end}m` : text;
  };
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    blue: paint("blue"),
    cyan: paint("cyan"),
    underline: paint("underline"),
  };
}
