import * as z from "zod";
import { byName } from "./names";
import { atMost, storableText } from "./shown-text";

export const INSTALLATION_STATES = [
  "LAUNCHING",
  "RUNNING",
  "ERROR",
  "STOPPING",
  "STOPPED",
  "UNINSTALLING",
  "UNINSTALLED",
] as const;
export type InstallationState = (typeof INSTALLATION_STATES)[number];

/** Why a revision of a configuration was written. */
export const CONFIGURATION_CAUSES = ["launch", "configure", "restore", "upgrade", "rollback"] as const;
export type ConfigurationCause = (typeof CONFIGURATION_CAUSES)[number];

/** STARTING: the new version starts while the old one serves. DRAINING: switched; the last calls finish on the old one. */
export const UPGRADE_STATES = ["STARTING", "DRAINING", "DONE", "FAILED"] as const;

/**
 * Entries of a secret's ledger. `dropped`: the new version's manifest no longer declares it. `removed`: the app was
 * uninstalled.
 */
export const SECRET_ACTIONS = ["set", "kept", "replaced", "cleared", "dropped", "removed"] as const;
export type SecretAction = (typeof SECRET_ACTIONS)[number];

/**
 * Why a delivery that was due was not sent: the installation was not running, no instance of its app was ready, or deliveries
 * were paused after repeated failures.
 */
export const DELIVERY_HOLDS = ["NOT_RUNNING", "NOT_READY", "BREAKER_OPEN"] as const;
export type DeliveryHold = (typeof DELIVERY_HOLDS)[number];

export const ROUTE_KINDS = ["webhook", "autofill", "rater", "lifecycle", "endpoint"] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

/** PENDING: waits, or is tried again later. DEAD: no attempt is left. ENDED: the app wants no more of its events. */
export const DELIVERY_STATES = ["PENDING", "DELIVERED", "DEAD", "ENDED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** CLOSED: deliveries are sent. OPEN: they wait. HALF_OPEN: one of them is sent to find out whether the app works again. */
export const BREAKER_STATES = ["CLOSED", "OPEN", "HALF_OPEN"] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** The maximum size of a setting's value, in UTF-8. */
export const SETTING_VALUE_BYTES = 8192;

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

/** The customer agrees to open the version's public endpoints: for an upgrade, those that were not public before. */
const openEndpoints = z.boolean().optional();

export const launchInput = z.strictObject({
  versionId: z.uuid(),
  tenantId: z.uuid(),
  test: z.boolean().default(false),
  settings: settingActions,
  mappings: mappingsInput,
  openEndpoints,
});
export type LaunchInput = z.infer<typeof launchInput>;

/** `recipients`: of an event, the webhook routes that the sender was shown. No other receives it. */
export const testCallInput = z.strictObject({
  routeId: z.uuid(),
  payload: z.json(),
  recipients: z.array(z.uuid()).max(1_000).optional(),
});
export type TestCallInput = z.infer<typeof testCallInput>;

/** A changed configuration. `revision`: the one it was made from; an outdated one is refused. */
export const configurationInput = z.strictObject({
  revision: z.int().positive(),
  settings: settingActions,
  mappings: mappingsInput,
});
export type ConfigurationInput = z.infer<typeof configurationInput>;

/** Another version, with the answers it asks for. Settings and mappings that are left out are kept. */
export const upgradeInput = configurationInput.extend({ versionId: z.uuid(), openEndpoints });
export type UpgradeInput = z.infer<typeof upgradeInput>;

export const endpointInput = z.strictObject({ open: z.boolean() });
export type EndpointInput = z.infer<typeof endpointInput>;

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
