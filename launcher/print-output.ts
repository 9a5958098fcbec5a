import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { redactKeys } from "@/lib/server/redaction/redact-keys";

/** A line of this length is printed before it ends, up to its last space. */
const LONGEST_LINE = 64 * 1024;

/**
 * Prints what a child process writes, without state keys and tokens. It prints line by line, because a chunk may end within
 * a key, which is recognized only as a whole.
 */
export function printOutput(output: Readable, print: (text: string) => void): void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const printUntil = (end: number) => {
    if (end > 0) print(redactKeys(rest.slice(0, end)));
    rest = rest.slice(end);
  };
  output.on("data", (chunk: Buffer) => {
    rest += decoder.write(chunk);
    const lines = rest.lastIndexOf("\n") + 1;
    if (lines > 0) printUntil(lines);
    else if (rest.length > LONGEST_LINE) printUntil(rest.lastIndexOf(" ") + 1 || rest.length);
  });
  output.once("end", () => {
    rest += decoder.end();
    printUntil(rest.length);
  });
}
