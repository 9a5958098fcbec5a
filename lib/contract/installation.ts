import { z } from "zod";
import { canBeHeld } from "./shown-text";

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

/** STARTING: the new version is being started, the old one serves. DRAINING: switched, calls end on the old one. */
export const UPGRADE_STATES = ["STARTING", "DRAINING", "DONE", "FAILED"] as const;
export type UpgradeState = (typeof UPGRADE_STATES)[number];

/**
 * What the ledger says of a secret. `dropped`: an upgrade's manifest does not declare it any more. `removed`: the app
 * was uninstalled.
 */
export const SECRET_ACTIONS = ["set", "kept", "replaced", "cleared", "dropped", "removed"] as const;
export type SecretAction = (typeof SECRET_ACTIONS)[number];

export const ROUTE_KINDS = ["webhook", "autofill", "rater", "lifecycle"] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

/** A setting's value has at most 8 KiB of UTF-8 and no NUL, which PostgreSQL cannot hold. */
export const SETTING_VALUE_BYTES = 8192;

const settingText = z
  .string()
  .refine((value) => new TextEncoder().encode(value).length <= SETTING_VALUE_BYTES, "At most 8 KiB.")
  .refine((value) => !value.includes("\0"), "A value cannot hold a NUL character.")
  .refine(canBeHeld, "A value cannot hold half of a surrogate pair: one of its characters is broken.");

/** What a page says of each setting. Leaving a setting out is the same as `keep`. */
export const settingAction = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("keep") }),
  z.strictObject({ action: z.literal("set"), value: settingText }),
  z.strictObject({ action: z.literal("clear") }),
]);
export type SettingAction = z.infer<typeof settingAction>;

export const settingActions = z.record(z.string(), settingAction);

/** Product name → mapping field name → JSONPath into the product's data. */
export const mappingsInput = z.record(z.string(), z.record(z.string(), z.string().trim().max(500)));

export const launchInput = z.strictObject({
  versionId: z.uuid(),
  tenantId: z.uuid(),
  test: z.boolean().default(false),
  settings: settingActions,
  mappings: mappingsInput,
});
export type LaunchInput = z.infer<typeof launchInput>;

export const testCallInput = z.strictObject({ routeId: z.uuid(), payload: z.json() });
export type TestCallInput = z.infer<typeof testCallInput>;

/** A changed configuration, and the revision that it was made from: a stale one is refused. */
export const configurationInput = z.strictObject({
  revision: z.int().positive(),
  settings: settingActions,
  mappings: mappingsInput,
});
export type ConfigurationInput = z.infer<typeof configurationInput>;

/** Another version, with the answers that it asks for. Leaving out keeps, mappings too. */
export const upgradeInput = configurationInput.extend({ versionId: z.uuid() });
export type UpgradeInput = z.infer<typeof upgradeInput>;

/** `revision`: the current one, which the restored one takes the place of. */
export const restoreInput = z.strictObject({ revision: z.int().positive() });
export type RestoreInput = z.infer<typeof restoreInput>;

/** How a page gets a setting back: a sensitive one says only that it is configured. */
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
