/** What was read of a log and is not stored yet. Pure. */
import { cleanText, type LogPiece } from "../runtimes/runtime";
import { createAssembler, type LogPosition, type RawLine } from "./assemble-lines";
import { createRateLimit } from "./limit-rate";

/** `dropped`: how many lines are missing, because they were too many. Otherwise a line, without control characters. */
export type Entry = {
  at: bigint;
  position: LogPosition;
  /** When it was read, in milliseconds. */
  readAt: number;
} & ({ dropped: number } | { stream: LogPiece["stream"]; text: string; cutBytes: number });

export type LineEntry = Extract<Entry, { text: string }>;

/** Lines that were written together, such as a key of several lines, are read within this time. */
const SETTLE_MS = 500;

/** A flood is one gap a second. */
const GAP_MS = 1_000;

/** Lines before, which may contain the beginning of a secret. */
const CONTEXT_CHARACTERS = 16 * 1024;

export function createLogBuffer(stored: LogPosition) {
  const assembler = createAssembler(stored);
  const isAdmitted = createRateLimit();
  let entries: Entry[] = [];
  const context: string[] = [];
  let gap: Extract<Entry, { dropped: number }> | undefined;

  function add(line: RawLine, readAt: number): boolean {
    const { at, stream, bytes, length, position, isOld } = line;
    const isStored = isAdmitted(at, bytes.length);
    if (isStored && isOld) keepContext([toText(bytes)]);
    if (isOld) return true;
    if (!isStored) {
      gap = { at, readAt: gap?.readAt ?? readAt, position, dropped: (gap?.dropped ?? 0) + 1 };
      return false;
    }
    endGap();
    entries.push({ at, readAt, position, stream, text: toText(bytes), cutBytes: length - bytes.length });
    return true;
  }

  function endGap(): void {
    if (gap !== undefined) entries.push(gap);
    gap = undefined;
  }

  function keepContext(texts: string[]): void {
    context.push(...texts);
    let size = context.reduce((sum, text) => sum + text.length + 1, 0);
    while (size > CONTEXT_CHARACTERS && context.length > 1) size -= (context.shift()?.length ?? 0) + 1;
  }

  return {
    /** False if it ends a line that was dropped. */
    push(piece: LogPiece, now = Date.now()): boolean {
      const line = assembler.push(piece);
      return line === undefined || add(line, now);
    },
    /** Nothing follows anymore. */
    end(now = Date.now()): void {
      for (const line of assembler.end()) add(line, now);
    },
    /** The entries that can be stored, the text before them, and the lines after them. Call `settle` when they are stored. */
    read(everything: boolean, now = Date.now()) {
      if (gap !== undefined && (everything || now - gap.readAt >= GAP_MS)) endGap();
      const late = everything ? -1 : entries.findIndex(({ readAt }) => now - readAt < SETTLE_MS);
      // Copies: more is pushed while these are stored.
      const ready = entries.slice(0, late === -1 ? undefined : late);
      return { ready, before: [...context], after: textsOf(entries.slice(ready.length)) };
    },
    /** Forgets the first `count` entries, which are stored. */
    settle(count: number): void {
      keepContext(textsOf(entries.slice(0, count)));
      entries = entries.slice(count);
    },
  };
}

const textsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => ("text" in entry ? [entry.text] : []));

/** A carriage return at the end belongs to the line break. */
function toText(bytes: Buffer): string {
  return cleanText(bytes.toString("utf8"));
}
