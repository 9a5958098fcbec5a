/** Publishes an image that is in a registry, instead of sending it. */
import * as z from "zod";

export const publishFromInput = z.strictObject({
  from: z
    .string()
    .max(500)
    .meta({ description: "The image with its digest, for example `registry.example/team/app@sha256:…`." }),
  username: z.string().max(300).optional().meta({ description: "Used once, and not stored." }),
  password: z.string().max(10_000).optional(),
});

export type PublishFromInput = z.infer<typeof publishFromInput>;
