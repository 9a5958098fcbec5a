/** What the console of an installation offers: data of the tenant's products, and what was sent before. */
import * as z from "zod";
import { attemptSummary } from "./call-summary";

/** `given`: the core provided the data; otherwise it is made up from the product's schema. */
export const productSamples = z.object({
  products: z.array(z.object({ name: z.string(), data: z.json(), given: z.boolean() })),
});
export type ProductSample = z.infer<typeof productSamples>["products"][number];

/** Newest first. Their payloads are in the calls. */
export const sentCalls = z.object({
  calls: z.array(
    attemptSummary
      .pick({
        id: true,
        routeId: true,
        kind: true,
        startedAt: true,
        durationMs: true,
        status: true,
        failure: true,
      })
      .extend({ eventType: z.string().nullable() }),
  ),
});
