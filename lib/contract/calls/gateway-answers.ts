/** What the gateway answers, besides the state record and drafts of manifests. */
import * as z from "zod";
import { issueShape } from "../catalog/manifest-draft";
import type { ProblemBody, ProblemCode } from "../platform/problem";
import { readCallFilter } from "./call-filter";

export const healthAnswer = z.object({
  status: z.enum(["ok", "draining", "unavailable"]).meta({
    description: "Only `ok` comes with 200; the others come with 503.",
  }),
  unavailable: z
    .array(z.enum(["database", "schema"]))
    .optional()
    .meta({
      description: "What is unavailable. `schema`: the database's tables are from an older release.",
    }),
});

export type Health = z.infer<typeof healthAnswer>;

/** `/ready` of the worker. `stuck`: its loops that could not look for work lately. */
export interface WorkerHealth extends Health {
  stuck?: string[];
}

/** What `/ready` of each part answers, and `/health` of the gateway and `/api/health` of the pages, which are the same. */
export function describeHealth(isDraining: boolean, missing: NonNullable<Health["unavailable"]>): Health {
  if (isDraining) return { status: "draining" };
  return missing.length === 0 ? { status: "ok" } : { status: "unavailable", unavailable: missing };
}

/** What `/live` of each part answers: whatever else is wrong, its process answers. */
export const liveAnswer = z.object({ status: z.literal("ok") });

export const jwksAnswer = z.object({ keys: z.array(z.record(z.string(), z.string())) });

export const acceptedEvent = z.object({
  eventId: z
    .uuid()
    .meta({ description: "The platform's id of the event: the `webhook-id` of its deliveries." }),
  deliveries: z.int().meta({ description: "How many routes receive it." }),
  duplicate: z.boolean().meta({
    description:
      "True if the event was accepted before. The other members are then those of the first response.",
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
    .meta({ description: "URL of the platform's pages. The documentation is at `/docs`." }),
});

export const publishAnswer = z.object({
  version: z.string().meta({ description: "The published number." }),
  imageDigest: z.string().meta({ description: "`sha256:` and 64 hexadecimal digits." }),
  listingUrl: z.string().meta({ description: "The listing's page." }),
  draftRevision: z
    .int()
    .optional()
    .meta({ description: "The draft's revision, if the draft now matches what was published." }),
  warnings: z
    .array(z.string())
    .optional()
    .meta({ description: "What will keep the app from running, such as an image without a command." }),
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
    version: z
      .string()
      .optional()
      .meta({ description: "Of `VERSION_EXISTS`: the version that has the image." }),
  }) satisfies z.ZodType<ProblemBody<string>>;
}

/** An installation's webhook secrets, as `GET /state/<key>/webhook-secrets` returns them to the app. */
export const webhookSecrets = z.object({
  /** `whsec_` and 32 bytes in base64, as Standard Webhooks libraries take it. The current one first; any may have signed. */
  secrets: z.array(z.string()).min(1),
});
export type WebhookSecrets = z.infer<typeof webhookSecrets>;

const times = z.object({
  /** ISO 8601. */
  createdAt: z.string(),
  /** When it stops signing (ISO 8601); null for the current one. */
  expiresAt: z.string().nullable(),
});

/** What a page gets without the secrets themselves, the current one first. */
export const listedSecrets = z.object({ secrets: z.array(times) });
export type WebhookSecretView = z.infer<typeof times>;

/** What an installation's organization gets when it reveals the secrets. */
export const revealedSecrets = z.object({ secrets: z.array(times.extend({ secret: z.string() })) });
export type RevealedSecrets = z.infer<typeof revealedSecrets>;

// Sending deliveries again.

/** How many deliveries one request replays. */
export const REPLAY_LIMIT = 1_000;

export const replaySelection = z
  .strictObject({
    deliveryIds: z.array(z.uuid()).min(1).max(REPLAY_LIMIT),
    /** Sends it again although the app accepted it. Only for a single delivery. */
    delivered: z.boolean().optional(),
  })
  // For the API's description; what refuses it says why.
  .meta({
    if: { properties: { delivered: { const: true } }, required: ["delivered"] },
    then: { properties: { deliveryIds: { maxItems: 1 } } },
  });
export type ReplaySelection = z.infer<typeof replaySelection>;

const filter = z.record(z.string(), z.unknown()).transform(readCallFilter);

/** Deliveries by id, or all dead ones that a filter of the log shows. */
export const replayRequest = z.union([replaySelection, z.strictObject({ filter })]);
export type ReplayRequest = z.infer<typeof replayRequest>;

export const replayResult = z.object({
  replayed: z.number(),
  /**
   * Those that were no longer dead, whose installation was uninstalled, or whose route takes no more events. For a
   * selection, including those that don't exist.
   */
  skipped: z.number(),
  /** More deliveries match than one request replays: send it again. */
  more: z.boolean(),
});
export type ReplayResult = z.infer<typeof replayResult>;
