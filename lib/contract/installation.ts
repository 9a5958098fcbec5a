import * as z from "zod";
import { SETTING_VALUE_BYTES } from "./installation-states";
import { byName } from "./names";
import { atMost, storableText } from "./shown-text";

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

export const launched = z.object({ installationId: z.uuid() });

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

export const savedRevision = z.object({ revision: z.int() });

/** Another version, with the answers it asks for. Settings and mappings that are left out are kept. */
export const upgradeInput = configurationInput.extend({ versionId: z.uuid(), openEndpoints });
export type UpgradeInput = z.infer<typeof upgradeInput>;

export const startedUpgrade = z.object({ upgradeId: z.uuid() });

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
