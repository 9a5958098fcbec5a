/** What apps can reach from inside their containers, as the platform measured it. */
import { z } from "zod";
import type { EgressWay } from "./egress";

/** `refused`, `timed out` and `unreachable` all mean that nothing answered. */
export const REACHES = ["answered", "refused", "timed out", "unreachable"] as const;
export type Reach = (typeof REACHES)[number];

export const isolationPlaces = z.array(
  z.object({
    /** Such as "Link-local addresses". */
    name: z.string(),
    expected: z.enum(["reachable", "closed"]),
    /** `address` is `<host>:<port>`. */
    tried: z.array(z.object({ address: z.string(), seen: z.enum(REACHES) })),
    /** Shell commands that close the place to apps, or open it, in order. Empty if it is as expected, or if a command can't fix it. */
    commands: z.array(z.string()),
    /** Why it is not as expected, and what to do, where the commands don't say it all. */
    fix: z.string().optional(),
  }),
);

/** A place that apps must or must not reach, with the addresses that were tried. */
export type IsolationPlace = z.output<typeof isolationPlaces>[number];

export interface IsolationView {
  state: "never checked" | "checking" | "checked" | "failed";
  /** ISO 8601; when the latest check ended. */
  checkedAt: string | null;
  durationMs: number | null;
  /** Why the check failed, and how to fix that. */
  problem: string | null;
  places: IsolationPlace[];
  /** What keeps apps to the hosts that they declare; null if no check has found out yet. */
  egress: EgressWay | null;
}
