import * as z from "zod";

/** How many instances of each version of an app run. The operator's limit is checked where it is known. */
export const replicasInput = z.object({
  replicas: z.int("Choose a whole number.").min(1, "An app has at least one instance."),
});
export type ReplicasInput = z.infer<typeof replicasInput>;
