/** Where commands write: results to standard output, everything else to standard error. */
export interface Terminal {
  /** A person sits there: prompts and progress bars make sense. */
  interactive: boolean;
  result(line: string): void;
  note(line: string): void;
  /** Replaces what was drawn last; only when interactive. */
  draw(line: string): void;
}

export function processTerminal(): Terminal {
  const interactive = process.stdin.isTTY && process.stderr.isTTY;
  return {
    interactive,
    result: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    draw: (line) => void process.stderr.write(`\r\u001B[2K${line}`),
  };
}
