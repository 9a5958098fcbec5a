/** Makes lines of the pieces that a runtime reads. Pure. */
import type { LogPiece } from "../runtimes/runtime";

/** How far a log was read: for each stream, the time of the last piece, and how many of its pieces had that time. */
export type LogPosition = Partial<Record<LogPiece["stream"], { at: bigint; count: number }>>;

export interface RawLine {
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
export function createAssembler(stored: LogPosition) {
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
