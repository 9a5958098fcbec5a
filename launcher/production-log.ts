/** In production, each line of output is one JSON object, whoever wrote it: a collector reads them, and no person. */
import { parseJson } from "@/lib/contract/platform/problem";

type Level = "info" | "warn" | "error";

/** As pino numbers them. */
const LEVELS: Record<Level, number> = { info: 30, warn: 40, error: 50 };

/** Lines of a part: JSON objects as they are, and all others, such as those of a library, as the message of one. */
export function toJsonLines(part: string, text: string, level: Level = "info"): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .map((line) => `${isJsonObject(line) ? line : toJsonLine(part, line, level)}\n`)
    .join("");
}

function isJsonObject(line: string): boolean {
  if (!line.startsWith("{")) return false;
  const value = parseJson(line);
  return typeof value === "object" && value !== null;
}

/** A message of several lines stays one. */
export function toJsonLine(part: string, message: string, level: Level): string {
  return JSON.stringify({ level: LEVELS[level], time: Date.now(), part, msg: message.trim() });
}

/** From now on, what the launcher itself prints is JSON. */
export function printAsJson(): void {
  const printer =
    (stream: NodeJS.WriteStream, level: Level) =>
    (...values: unknown[]): void => {
      const text = values.map((value) =>
        value instanceof Error ? (value.stack ?? value.message) : String(value),
      );
      stream.write(`${toJsonLine("launcher", text.join(" "), level)}\n`);
    };
  console.log = printer(process.stdout, "info");
  console.warn = printer(process.stderr, "warn");
  console.error = printer(process.stderr, "error");
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => console.warn(`${name}: ${message}`));
}
