/** The level of a line that is a JSON object, as common logging libraries write it. */
import type { LogLevel } from "@/lib/contract/app-log";

/** Longer lines are not worth the time. */
const LONGEST = 8 * 1024;
const NAMES = ["level", "severity", "lvl", "levelname", "log.level"];

const LEVELS: Record<string, LogLevel> = {
  ...{ fatal: "error", critical: "error", emergency: "error", alert: "error", error: "error", err: "error" },
  ...{ warning: "warn", warn: "warn" },
  ...{ info: "info", information: "info", notice: "info" },
  ...{ debug: "debug", trace: "debug", verbose: "debug" },
};

/** Null if the line has none. */
export function readLevel(line: string): LogLevel | null {
  if (!line.startsWith("{") || line.length > LONGEST) return null;
  const parsed = parse(line);
  if (typeof parsed !== "object" || parsed === null) return null;
  const entries = new Map<string, unknown>(Object.entries(parsed));
  const level = NAMES.map((name) => entries.get(name)).find((value) => value !== undefined);
  if (typeof level === "number") return readNumber(level);
  return typeof level === "string" && Object.hasOwn(LEVELS, level.toLowerCase())
    ? (LEVELS[level.toLowerCase()] ?? null)
    : null;
}

/** As pino and bunyan number them: 10 is trace, 60 is fatal. */
function readNumber(level: number): LogLevel | null {
  if (level < 10 || level > 60) return null;
  return level >= 50 ? "error" : level >= 40 ? "warn" : level >= 30 ? "info" : "debug";
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
