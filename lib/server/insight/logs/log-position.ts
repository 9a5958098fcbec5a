/** Where an entry is in the log of a version: what its id says. */
import { LOG_POSITION } from "@/lib/contract/insight/app-log";
import { Problem } from "@/lib/contract/platform/problem";

export const EVENT = 0;
export const LINE = 1;

/** The place between the rows of one table: its moment in microseconds, and the number of the row there. */
export interface Place {
  at: string;
  id: string;
}

export function writePosition(kind: typeof EVENT | typeof LINE, { at, id }: Place): string {
  return `${at.padStart(16, "0")}-${kind}-${id.padStart(13, "0")}`;
}

/** When the entry was written, in milliseconds. */
export function momentIn(position: string): Date {
  return new Date(Number(position.slice(0, 16)) / 1_000);
}

/** @throws BAD_INPUT */
export function checkPosition(given: string): string {
  if (LOG_POSITION.test(given)) return given;
  throw new Problem("BAD_INPUT", "The position in the log is not valid. Load the log again.");
}

/**
 * The place of a position among the rows of one table: those on one side of it are on the same side of the position. At the same
 * moment, events come before lines.
 */
export function placeAmong(kind: typeof EVENT | typeof LINE, position: string): Place {
  const [, at = "", found = "", id = ""] = LOG_POSITION.exec(position) ?? [];
  if (Number(found) === kind) return { at, id };
  return kind === LINE ? { at, id: "0" } : { at, id: "9999999999999" };
}
