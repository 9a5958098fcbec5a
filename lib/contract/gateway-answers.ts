/** What the gateway answers, besides the state record and drafts of manifests. */
import * as z from "zod";
import { issueShape } from "./manifest-draft";
import { PROBLEM_STATUS, type ProblemBody, type ProblemCode } from "./problem";

export const healthAnswer = z.object({ status: z.enum(["ok", "draining"]) });

export const jwksAnswer = z.object({ keys: z.array(z.record(z.string(), z.string())) });

export const acceptedEvent = z.object({
  eventId: z
    .uuid()
    .meta({ description: "The platform's id of the event: the `webhook-id` of its deliveries." }),
  deliveries: z.int().meta({ description: "How many routes receive it." }),
  duplicate: z.boolean().meta({
    description: "True if it was accepted before. The other members are then from the first time.",
  }),
});
export type AcceptedEvent = z.infer<typeof acceptedEvent>;

export const whoamiAnswer = z.object({
  organization: z.object({ slug: z.string(), name: z.string().optional() }),
  /** Its scopes are plain strings, so that a command line from before a new scope still reads the answer. */
  apiKey: z
    .object({
      name: z.string(),
      scopes: z.array(z.string()).optional().meta({ description: "What the key may do." }),
    })
    .optional(),
  webUrl: z
    .url({ protocol: /^https?$/ })
    .meta({ description: "Where the platform's pages are. The documentation is below `/docs`." }),
});

export const publishAnswer = z.object({
  version: z.string(),
  imageDigest: z.string(),
  listingUrl: z.string(),
  /** The draft's, if the draft now says what was published. */
  draftRevision: z.int().optional(),
});
export type PublishAnswer = z.infer<typeof publishAnswer>;

export const savedNotes = z.object({ version: z.string(), characters: z.int() });

/** A refusal, as `application/problem+json` (RFC 9457), with one of these codes. */
export function problemShape(codes: readonly ProblemCode[]) {
  return z.object({
    type: z.string().meta({ description: "The URL of the code's entry in the documentation." }),
    title: z.string(),
    status: z.int(),
    code: z.enum(codes),
    detail: z.string().meta({ description: "What is wrong, and how to fix it." }),
    issues: z.array(issueShape).optional(),
  }) satisfies z.ZodType<ProblemBody<string>>;
}

export function statusOf(code: ProblemCode): number {
  return PROBLEM_STATUS[code];
}
