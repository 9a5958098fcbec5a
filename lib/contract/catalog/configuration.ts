import * as z from "zod";
import { atMost } from "../platform/text";
import { byName, linkToken, shownText, storableText } from "../platform/text-shapes";
import { SETTING_VALUE_BYTES, UNINSTALL_REASONS } from "./installation-states";

const settingText = storableText.refine(
  (value) => new TextEncoder().encode(value).length <= SETTING_VALUE_BYTES,
  "Use at most 8 KiB of text.",
);

/** What to do with each setting. A setting that is left out is kept. */
export const settingAction = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("keep") }),
  z.strictObject({ action: z.literal("set"), value: settingText }),
  z.strictObject({ action: z.literal("clear") }),
]);
export type SettingAction = z.infer<typeof settingAction>;

export const settingActions = byName(settingAction);

/** Product name → mapping field name → JSONPath into the product's data, or what else the app expects. */
export const mappingsInput = byName(byName(z.string().trim().max(500, atMost(500))));

/** The customer knows that a product's schema lacks a mapped field. Without it, new mappings to such fields are refused. */
const allowMissingFields = z.boolean().optional();

/** The customer agrees to open the version's public endpoints: for an upgrade, those that were not public before. */
const openEndpoints = z.boolean().optional();

/** The terms that the customer read and accepts: exactly those. If the publisher changed them meanwhile, nothing is accepted. */
export const acceptedTerms = z.strictObject({
  url: storableText.min(1).max(500, atMost(500)),
  version: storableText.min(1).max(40, atMost(40)),
});

export const launchInput = z.strictObject({
  versionId: z.uuid(),
  tenantId: z.uuid(),
  test: z.boolean().default(false),
  settings: settingActions,
  mappings: mappingsInput,
  allowMissingFields,
  openEndpoints,
  /** Required if the publisher has terms, except for Test Launches and the publisher's own organization. */
  acceptedTerms: acceptedTerms.optional(),
  /** A trial of the app. Settings that are left out are kept from it. */
  carryFrom: z.uuid().optional(),
  /** The token of its link, if the app is shown by link. */
  link: linkToken.optional(),
  /** The member agrees to a pilot version, which is not reviewed yet. */
  pilot: z.literal(true).optional(),
});
export type LaunchInput = z.infer<typeof launchInput>;

/** A trial runs with made-up products, whose mappings the platform fills in. */
export const trialInput = launchInput.pick({ versionId: true, settings: true, link: true });
export type TrialInput = z.infer<typeof trialInput>;
/** Why an app is uninstalled, if the customer says so. */
export const uninstallInput = z.strictObject({
  reason: z.enum(UNINSTALL_REASONS).optional(),
  comment: shownText.max(500, atMost(500)).default(""),
});
export type UninstallInput = z.infer<typeof uninstallInput>;

export const launched = z.object({ installationId: z.uuid() });

/** `recipients`: of an event, the webhook routes that the sender was shown. No other receives it. */
export const testCallInput = z.strictObject({
  routeId: z.uuid(),
  /** JSON, sent as it was written: numbers, repeated members and spaces stay as they are. */
  text: z.string().max(2 * 1024 * 1024),
  recipients: z.array(z.uuid()).max(1_000).optional(),
});
export type TestCallInput = z.infer<typeof testCallInput>;

/** A changed configuration. `revision`: the one it was made from; an outdated one is refused. */
export const configurationInput = z.strictObject({
  revision: z.int().positive(),
  settings: settingActions,
  mappings: mappingsInput,
  allowMissingFields,
});
export type ConfigurationInput = z.infer<typeof configurationInput>;

export const savedRevision = z.object({ revision: z.int() });

/** Another version, with the answers it asks for. Settings and mappings that are left out are kept. */
export const upgradeInput = configurationInput.extend({
  versionId: z.uuid(),
  openEndpoints,
  /** The customer agrees to the permissions and hosts that it asks for in addition. */
  agree: z.boolean().optional(),
  /** Required if the publisher has terms that were not accepted for this installation, except to roll back. */
  acceptedTerms: acceptedTerms.optional(),
  /** The customer agrees to a pilot version, which is not reviewed yet. */
  pilot: z.literal(true).optional(),
});
export type UpgradeInput = z.infer<typeof upgradeInput>;

export const startedUpgrade = z.object({ upgradeId: z.uuid() });

export const endpointInput = z.strictObject({ open: z.boolean() });
export type EndpointInput = z.infer<typeof endpointInput>;

/** An optional host of the installation's manifest, which the organization refuses to the app, or allows again. */
export const hostRefusalInput = z.strictObject({ host: z.string().max(253), refused: z.boolean() });
export type HostRefusalInput = z.infer<typeof hostRefusalInput>;

/** `revision`: the current one, which the restored one replaces. */
export const restoreInput = z.strictObject({ revision: z.int().positive() });
export type RestoreInput = z.infer<typeof restoreInput>;

/** A setting as pages receive it. Of a sensitive one, only whether it is configured. */
export const settingView = z.discriminatedUnion("sensitive", [
  z.object({ name: z.string(), sensitive: z.literal(false), value: z.string().optional() }),
  z.object({
    name: z.string(),
    sensitive: z.literal(true),
    configured: z.boolean(),
    updatedAt: z.string().optional(),
    by: z.string().optional(),
  }),
]);
export type SettingView = z.infer<typeof settingView>;

// Checks of a configuration by the app, before it is saved: what pages send and receive.

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
  launchInput.omit({ openEndpoints: true, acceptedTerms: true }).extend({ for: z.literal("launch") }),
  configurationInput.extend({
    for: z.literal("installation"),
    installationId: z.uuid(),
    versionId: z.uuid().optional(),
    /** Both as for the upgrade to that version. */
    agree: z.boolean().optional(),
    pilot: z.literal(true).optional(),
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

const stringMap = z.record(z.string(), z.string());

/** The response of `GET {state_api}/state/<key>`: exactly these five members (contract, section 2.3). */
export const stateRecord = z.strictObject({
  settings: stringMap.meta({
    description: "The customer's values, by setting name. A skipped setting is absent.",
  }),
  mappings: z
    .array(z.strictObject({ productName: z.string(), fields: stringMap }))
    .meta({ description: "One entry for each of the customer's products." }),
  coreApiUrl: z.string().meta({ description: "URL of the core's API for this customer." }),
  tenantHostName: z.string().meta({ description: "Host name of the customer's tenant." }),
  token: z.string().meta({ description: "JWT for the core's API, issued for this call." }),
});

export type StateRecord = z.infer<typeof stateRecord>;

const CHECK_ISSUES = 100;

const checkIssue = z.looseObject({
  /** A setting's name. Left out for an issue about several settings, or none. */
  setting: z.string("Send the setting's name, or leave it out.").optional(),
  message: z
    .string("Send a message that says what is wrong and how to fix it.")
    .regex(/\S/, "Send a message that says what is wrong and how to fix it."),
});

/** To `POST /_app/check`. */
export const configurationCheckAnswer = z
  .looseObject({
    ok: z.boolean("Send true or false."),
    issues: z
      .array(checkIssue, "Send a list of issues, or leave it out.")
      .max(CHECK_ISSUES, `Send at most ${CHECK_ISSUES} issues.`)
      .default([]),
  })
  .refine(({ ok, issues }) => ok === (issues.length === 0), {
    path: ["issues"],
    message: 'Send issues if "ok" is false, and none if it is true.',
  });

export type ConfigurationCheckAnswer = z.infer<typeof configurationCheckAnswer>;
