/** What the search of the command palette finds. */
import * as z from "zod";

/** In the order of the palette. */
export const FOUND_GROUPS = [
  "By ID",
  "Installations",
  "Your listings",
  "Tenants",
  "Apps",
  "Documentation",
] as const;

const foundEntry = z.object({
  /** A path of the pages. */
  href: z.string(),
  text: z.string(),
  /** What tells entries of the same name apart. */
  detail: z.string(),
});
export type FoundEntry = z.infer<typeof foundEntry>;

export const foundGroups = z.object({
  groups: z.array(z.object({ title: z.enum(FOUND_GROUPS), entries: z.array(foundEntry) })),
});
export type FoundGroups = z.infer<typeof foundGroups>;

/** Fewer characters find everything. */
export const LEAST_CHARACTERS = 2;
