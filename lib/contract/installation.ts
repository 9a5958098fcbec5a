import { z } from "zod";

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

export const ROUTE_KINDS = ["webhook", "autofill", "rater", "lifecycle"] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

/** A setting's value has at most 8 KiB of UTF-8 and no NUL, which PostgreSQL cannot hold. */
export const SETTING_VALUE_BYTES = 8192;

const settingText = z
  .string()
  .refine((value) => new TextEncoder().encode(value).length <= SETTING_VALUE_BYTES, "At most 8 KiB.")
  .refine((value) => !value.includes("\0"), "A value cannot hold a NUL character.");

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

export const fireCallInput = z.strictObject({ routeId: z.uuid(), payload: z.json() });
export type FireCallInput = z.infer<typeof fireCallInput>;

/** How a page gets a setting back: a sensitive one says only that it is configured. */
export type SettingView =
  | { name: string; sensitive: false; value: string | undefined }
  | { name: string; sensitive: true; configured: boolean; updatedAt?: string; by?: string };
