/** Who may launch apps in an organization, and how its members ask for a launch. */
import * as z from "zod";
import { atMost } from "../platform/text";
import { linkToken, shownText } from "../platform/text-shapes";

export const LAUNCH_REQUEST_STATES = ["OPEN", "APPROVED", "DECLINED", "WITHDRAWN", "OUTDATED"] as const;
export type LaunchRequestState = (typeof LAUNCH_REQUEST_STATES)[number];

const note = shownText.max(1_000, atMost(1_000));

export const launchRequestInput = z.strictObject({
  versionId: z.uuid(),
  tenantId: z.uuid("Choose a tenant."),
  /** Why, for the owners. */
  note: note.min(1, "Explain why you need the app."),
  /** Of a listing that is shown by link. */
  link: linkToken.optional(),
});
export type LaunchRequestInput = z.infer<typeof launchRequestInput>;

export const requestedLaunch = z.object({ requestId: z.uuid() });

/** For the member who asked. */
export const launchDecisionInput = z.discriminatedUnion("decision", [
  z.strictObject({ decision: z.literal("approve"), note }),
  z.strictObject({
    decision: z.literal("decline"),
    note: note.min(1, "Explain why you decline, so that the member knows what to do."),
  }),
]);
export type LaunchDecisionInput = z.infer<typeof launchDecisionInput>;

/** Who may launch what in an organization. */
export const launchRules = z.strictObject({
  /** Members who are no owners ask before each launch. */
  membersAsk: z.boolean(),
  /** Only apps on the organization's list are launched. */
  onlyAllowedApps: z.boolean(),
});
export type LaunchRules = z.infer<typeof launchRules>;

/** What is left out stays. */
export const launchRulesInput = launchRules
  .partial()
  .refine((rules) => Object.keys(rules).length > 0, "Set at least one of the rules.");
export type LaunchRulesInput = z.infer<typeof launchRulesInput>;

/** `link`: the token of its link, if the listing is shown by link. */
export const allowedAppInput = z.strictObject({ link: linkToken.optional() });
export type AllowedAppInput = z.infer<typeof allowedAppInput>;
