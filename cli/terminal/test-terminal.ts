/** A terminal for tests, which records what is written to it. */
import type { Terminal } from "./environment";

export interface RecordedTerminal extends Terminal {
  results: string[];
  notes: string[];
  /** Everything, in order. */
  lines: string[];
  /** The questions that were asked. */
  asked: string[];
}

/** @param answer to every question; without one, the terminal is not interactive */
export function recordTerminal({
  input = "",
  answer,
}: { input?: string; answer?: boolean } = {}): RecordedTerminal {
  const [results, notes, lines, asked]: [string[], string[], string[], string[]] = [[], [], [], []];
  return {
    results,
    notes,
    lines,
    asked,
    interactive: answer !== undefined,
    input: async function* () {
      yield Buffer.from(input);
    },
    color: false,
    columns: 100,
    json: false,
    result: (line) => void (results.push(line), lines.push(line)),
    data: () => {},
    note: (line) => void (notes.push(line), lines.push(line)),
    draw: () => {},
    confirm: async (question) => {
      asked.push(question);
      return answer === true;
    },
  };
}
