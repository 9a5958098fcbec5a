import type { CallRow } from "@/lib/contract/call-log";
import type { Terminal } from "../terminal/environment";
import { style } from "../terminal/style";
import type { Cell } from "../terminal/table";

type Result = Pick<CallRow, "status" | "failure" | "durationMs"> & { delivery: { state: string } | null };

/** How a call ended, in a word. */
export function describeResult(
  { status, failure, durationMs, delivery }: Result,
  terminal: Pick<Terminal, "color">,
): Cell {
  const { red, green, yellow, dim } = style(terminal);
  if (failure !== null) {
    const text = delivery?.state === "DEAD" ? "dead" : status === null ? "failed" : String(status);
    return { text, paint: delivery?.state === "PENDING" ? yellow : red };
  }
  if (durationMs === null) return { text: "open", paint: dim };
  return { text: status === null ? "ok" : String(status), paint: green };
}
