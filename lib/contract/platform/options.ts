import * as z from "zod";

/** What a menu offers that is too long to be sent with its page: those that match what was typed, and whether there are more. */
export const foundOptions = z.object({
  options: z.array(
    z.object({
      value: z.string(),
      text: z.string(),
      /** A second line. */
      detail: z.string().optional(),
    }),
  ),
  more: z.boolean(),
});
export type FoundOptions = z.infer<typeof foundOptions>;
