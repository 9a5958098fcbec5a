import type { LogEntry, LogLineView } from "@/lib/contract/log-view";
import type { Terminal } from "../terminal/environment";
import { visible } from "../terminal/failure";
import { style } from "../terminal/style";
import { describeClock } from "../terminal/times";

/** A line of an app's log, or what happened to an instance. */
export function describeEntry(entry: LogEntry, terminal: Pick<Terminal, "color">): string {
  const { dim, cyan, red } = style(terminal);
  const start = `${dim(describeClock(entry.at))} ${dim(entry.instanceId.slice(-4))}`;
  if (entry.kind === "event") {
    const reason = entry.reason === null ? "" : `: ${visible(entry.reason)}`;
    const paint = entry.event === "failed" || entry.event === "failing" ? red : cyan;
    return `${start} ${paint(`--- instance ${entry.event}${reason}`)}`;
  }
  const cut = entry.cutBytes === 0 ? "" : dim(` (${entry.cutBytes} more bytes)`);
  return `${start} ${describeLevel(entry, terminal)} ${visible(entry.text)}${cut}`;
}

function describeLevel({ level, stream }: LogLineView, terminal: Pick<Terminal, "color">): string {
  const { dim, red, yellow } = style(terminal);
  const word = (level ?? (stream === "stderr" ? "err" : stream === "platform" ? "note" : "out")).padEnd(5);
  if (level === "error") return red(word);
  if (level === "warn" || stream === "platform") return yellow(word);
  return dim(word);
}
