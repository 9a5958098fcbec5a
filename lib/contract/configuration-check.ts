/** Checks of a configuration by the app, before it is saved: what pages send and receive. */
import * as z from "zod";
import { configurationInput, launchInput } from "./installation";

/**
 * `STARTING`: a worker starts the app or waits for it. `CALLING`: the app has the check's state key. A canceled check ends as soon
 * as the app answers, and its state key when it is canceled.
 */
export const CONFIGURATION_CHECK_STATES = ["QUEUED", "STARTING", "CALLING", "ENDED", "CANCELED"] as const;

/** How long the app has to answer. */
export const CHECK_DEADLINE_MS = 10_000;

/** How long a check can take with the app's start, before the page gives up. */
export const CHECK_LIFE_SECONDS = 120;

/** Answers that are not saved: of a launch, or of an installation; with `versionId`, of its upgrade to that version. */
export const configurationCheckInput = z.discriminatedUnion("for", [
  launchInput.omit({ openEndpoints: true }).extend({ for: z.literal("launch") }),
  configurationInput.extend({
    for: z.literal("installation"),
    installationId: z.uuid(),
    versionId: z.uuid().optional(),
  }),
]);
export type ConfigurationCheckInput = z.infer<typeof configurationCheckInput>;

export const startedCheck = z.object({ checkId: z.uuid() });

/** At `/settings/<name>`; at "" if it is about no single setting. */
const issue = z.object({ code: z.literal("configuration-check"), pointer: z.string(), message: z.string() });

/** What a check found. `FAILED`: the app or the platform could not check; `reason` says why. */
const checkResult = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("PASSED") }),
  z.object({ outcome: z.literal("ISSUES"), issues: z.array(issue) }),
  z.object({ outcome: z.literal("FAILED"), reason: z.string() }),
]);
export type CheckResult = z.infer<typeof checkResult>;

export const configurationCheckView = z.object({
  state: z.enum(CONFIGURATION_CHECK_STATES),
  /** Null until it ended. */
  result: checkResult.nullable(),
});
export type ConfigurationCheckView = z.infer<typeof configurationCheckView>;
