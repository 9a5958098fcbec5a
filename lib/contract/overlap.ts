import * as z from "zod";

/** How long a rotated credential or secret keeps working beside the new one. */
export const OVERLAPS = ["now", "1h", "24h", "7d"] as const;
export type Overlap = (typeof OVERLAPS)[number];

const SECONDS: Record<Overlap, number> = { now: 0, "1h": 3_600, "24h": 86_400, "7d": 7 * 86_400 };

export function overlapSeconds(overlap: Overlap): number {
  return SECONDS[overlap];
}

/** The body of a rotation. */
export const rotateInput = z.strictObject({ overlap: z.enum(OVERLAPS).default("24h") });
