/**
 * What parts write, line by line: without state keys and tokens, and in production each line as one JSON object, whoever wrote it,
 * because a collector reads them, and no person.
 */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { parseJson } from "@/lib/contract/platform/problem";
import { redactKeys } from "@/lib/server/platform/redaction/redact-keys";

type Level = "info" | "warn" | "error";

/** As pino numbers them. */
const LEVELS: Record<Level, number> = { info: 30, warn: 40, error: 50 };

/**
 * Lines of a part: JSON objects as they are, and all others, such as those of a library, as the message of one. A line that is indented or only closes
 * a bracket, as in the stack of an error, belongs to the message before it.
 */
export function toJsonLines(part: string, text: string, level: Level = "info"): string {
  const messages: string[] = [];
  for (const line of text.split("\n").map((each) => each.trimEnd())) {
    const before = messages.at(-1);
    if (/^[\s})\]]/.test(line) && before !== undefined && !isJsonObject(before))
      messages[messages.length - 1] = `${before}\n${line}`;
    else if (line !== "") messages.push(line);
  }
  return messages
    .map((message) => `${isJsonObject(message) ? message : toJsonLine(part, message, level)}\n`)
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

/** From now on, what this process itself prints with `console` is JSON. */
export function printAsJson(part = "launcher"): void {
  const printer =
    (stream: NodeJS.WriteStream, level: Level) =>
    (...values: unknown[]): void => {
      const text = values.map((value) =>
        value instanceof Error ? (value.stack ?? value.message) : String(value),
      );
      stream.write(`${toJsonLine(part, text.join(" "), level)}\n`);
    };
  console.log = printer(process.stdout, "info");
  console.warn = printer(process.stderr, "warn");
  console.error = printer(process.stderr, "error");
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => console.warn(`${name}: ${message}`));
}

/** A line of this length is printed before it ends, up to its last space. */
const LONGEST_LINE = 64 * 1024;

/**
 * Prints what a child process writes, without state keys and tokens. It prints line by line, because a chunk may end within
 * a key, which is recognized only as a whole.
 */
export function printOutput(output: Readable, print: (text: string) => void): void {
  const lines = createLinePrinter(print);
  output.on("data", lines.write);
  output.once("end", lines.end);
}

function createLinePrinter(print: (text: string) => void) {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const printUntil = (end: number) => {
    if (end > 0) print(redactKeys(rest.slice(0, end)));
    rest = rest.slice(end);
  };
  return {
    write: (chunk: Buffer) => {
      rest += decoder.write(chunk);
      const lines = rest.lastIndexOf("\n") + 1;
      if (lines > 0) printUntil(lines);
      else if (rest.length > LONGEST_LINE) printUntil(rest.lastIndexOf(" ") + 1 || rest.length);
    },
    end: () => {
      rest += decoder.end();
      printUntil(rest.length);
    },
  };
}

/** The same for what this process writes itself, if nothing else reads its output: libraries write text, and errors may quote keys. */
export function printOwnOutput(part: string): void {
  for (const [stream, level] of [[process.stdout, "info"] as const, [process.stderr, "error"] as const]) {
    const write = stream.write.bind(stream);
    const lines = createLinePrinter((text) => write(toJsonLines(part, text, level)));
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      lines.write(Buffer.from(chunk));
      const done = rest.at(-1);
      if (typeof done === "function") process.nextTick(done);
      return true;
    };
    process.on("exit", lines.end);
  }
}
