/** What was read of a log and is not stored yet. Pure. */
import { cleanText, type LogPiece } from "../engines/runtime";

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

// Makes lines of the pieces that a runtime reads. Pure.

/** How far a log was read: for each stream, the time of the last piece, and how many of its pieces had that time. */
export type LogPosition = Partial<Record<LogPiece["stream"], { at: bigint; count: number }>>;

interface RawLine {
  stream: LogPiece["stream"];
  at: bigint;
  /** Without its line break. Cut if the line is longer than `MOST_BYTES`. */
  bytes: Buffer;
  /** Of the whole line. */
  length: number;
  /** Up to and including this line. */
  position: LogPosition;
  /** The position with which the assembler began includes it. */
  isOld: boolean;
}

/** More than is stored of a line, so that a secret at the end of what is stored is found whole. */
const MOST_BYTES = 32 * 1024;

const NEWLINE = 0x0a;

interface Open {
  at: bigint;
  pieces: Buffer[];
  kept: number;
  length: number;
}

/** @param stored the position up to which lines are old */
function createAssembler(stored: LogPosition) {
  const open: Partial<Record<LogPiece["stream"], Open>> = {};
  const read: LogPosition = {};
  const done: LogPosition = {};

  function finish(stream: LogPiece["stream"], { at, pieces, length }: Open): RawLine {
    delete open[stream];
    done[stream] = read[stream];
    const isOld = !isAfter(done[stream], stored[stream]);
    return { stream, at, bytes: Buffer.concat(pieces), length, position: { ...stored, ...done }, isOld };
  }

  return {
    /** The line that the piece ends; undefined if it doesn't end one. */
    push({ stream, at, bytes }: LogPiece): RawLine | undefined {
      const last = read[stream];
      read[stream] = { at, count: last?.at === at ? last.count + 1 : 1 };
      const isEnd = bytes.at(-1) === NEWLINE;
      const text = isEnd ? bytes.subarray(0, -1) : bytes;
      const line = (open[stream] ??= { at, pieces: [], kept: 0, length: 0 });
      line.length += text.length;
      const kept = text.subarray(0, MOST_BYTES - line.kept);
      line.kept += kept.length;
      // A copy: the piece is a part of a much larger buffer.
      if (kept.length > 0) line.pieces.push(Buffer.from(kept));
      return isEnd ? finish(stream, line) : undefined;
    },
    /** Lines without a line break, once nothing can follow. */
    end: (): RawLine[] =>
      (["stdout", "stderr"] as const).flatMap((stream) => {
        const line = open[stream];
        return line === undefined ? [] : [finish(stream, line)];
      }),
  };
}

type Place = LogPosition["stdout"];

function isAfter(place: Place, other: Place): boolean {
  if (place === undefined || other === undefined) return other === undefined;
  return place.at > other.at || (place.at === other.at && place.count > other.count);
}

/** How much of an instance's log is stored. Pure: it counts by the times of the lines, so that it is the same at each read. */

/** In each second; what a quiet app leaves is saved up to `MOST`, for a start or the trace of an error. */
export const LINES_PER_SECOND = 200;
const BYTES_PER_SECOND = 64 * 1024;
const SAVED_LINES = 1_000;
const SAVED_BYTES = 512 * 1024;

const SECOND_NS = 1_000_000_000n;

/** Whether a line is stored. After the first that is not, none is until the next second: there is one gap, not many. */
function createRateLimit(): (at: bigint, bytes: number) => boolean {
  let second = 0n;
  let lines = SAVED_LINES;
  let bytes = SAVED_BYTES;
  let isFull = false;
  return (at, size) => {
    const now = at / SECOND_NS;
    if (now > second) {
      const passed = Number(now - second);
      lines = Math.min(SAVED_LINES, lines + passed * LINES_PER_SECOND);
      bytes = Math.min(SAVED_BYTES, bytes + passed * BYTES_PER_SECOND);
      second = now;
      isFull = false;
    }
    if (isFull || lines < 1 || bytes < size) {
      isFull = true;
      return false;
    }
    lines -= 1;
    bytes -= size;
    return true;
  };
}
