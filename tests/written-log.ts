import { setTimeout as sleep } from "node:timers/promises";
import type { LogPiece, Runtime } from "@/lib/server/runtime/engines/runtime";

/** The log of one container, as an engine keeps it: a test writes, and any number of readers follow it from any time. */
export function writtenLog(runtime: Runtime) {
  const pieces: LogPiece[] = [];
  let at = BigInt(Date.now()) * 1_000_000n;
  let hasEnded = false;
  runtime.followLog = async function* (_handle, { since = 0n, follow, signal }) {
    for (let next = 0; !signal.aborted;) {
      const piece = pieces[next];
      if (piece !== undefined) {
        next += 1;
        if (piece.at >= since) yield piece;
      } else if (!follow || hasEnded) return;
      else await sleep(5);
    }
  };
  const { inspect } = runtime;
  runtime.inspect = async (handle) =>
    hasEnded
      ? { running: false, code: "EXITED", reason: "exited with code 1", exitCode: 1 }
      : inspect(handle);
  return {
    /** A piece, with a line break unless it is a part of a line. `afterMs`: since the last one. */
    write: (text: string, { stream = "stdout", afterMs = 0, isPart = false }: WriteOptions = {}) => {
      at += BigInt(afterMs) * 1_000_000n + 1_000n;
      pieces.push({ stream, at, bytes: Buffer.from(isPart ? text : `${text}\n`) });
    },
    end: () => (hasEnded = true),
  };
}

interface WriteOptions {
  stream?: LogPiece["stream"];
  afterMs?: number;
  isPart?: boolean;
}
