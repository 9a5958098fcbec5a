/** How pages get configurations back, their history, and what another version would ask. Moments are ISO 8601 text. */
import { z } from "zod";
import { CONFIGURATION_CAUSES, type SECRET_ACTIONS, settingView, UPGRADE_STATES } from "./installation";
import { mappingField, setting } from "./manifest";
import type { Issue } from "./problem";

const moment = z.iso.datetime();

/** A product as the mapping form needs it. */
export const productView = z.object({
  name: z.string(),
  /** JSON Schema of its policy data, as the core gave it. */
  schema: z.unknown(),
  /** Policy data as the core gave it, for trying paths out; absent when it gave none. */
  sample: z.unknown().optional(),
  /** When the schema last became another. */
  changedAt: moment,
  /** The schema is another than the one that the current mapping was saved for. */
  changedSinceMapped: z.boolean(),
});
export type ProductView = z.infer<typeof productView>;

const mapping = z.object({ productName: z.string(), fields: z.record(z.string(), z.string()) });

/** The current configuration, with all that its form needs: `GET /api/installations/<id>/configuration`. */
export const configurationView = z.object({
  installationId: z.uuid(),
  /** `<org-name>/<app-name>` and the version number. */
  name: z.string(),
  title: z.string(),
  version: z.string(),
  test: z.boolean(),
  tenantName: z.string(),
  revision: z.int(),
  cause: z.enum(CONFIGURATION_CAUSES),
  savedAt: moment,
  savedBy: z.string(),
  /** As the manifest declares them, without the keys that the platform does not know. */
  declared: z.array(setting),
  mappingFields: z.array(mappingField),
  /** One for each declared setting, in their order. */
  settings: z.array(settingView),
  mappings: z.array(mapping),
  products: z.array(productView),
});
export type ConfigurationView = z.infer<typeof configurationView>;

/** One difference of a revision from the one before it. Of a secret only that it changed. */
export const configurationChange = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("setting"),
    name: z.string(),
    title: z.string(),
    /** What people read: a Select's text; absent: skipped. */
    before: z.string().optional(),
    after: z.string().optional(),
  }),
  z.object({
    kind: z.literal("secret"),
    name: z.string(),
    title: z.string(),
    change: z.enum(["set", "replaced", "cleared"]),
  }),
  z.object({
    kind: z.literal("mapping"),
    productName: z.string(),
    name: z.string(),
    title: z.string(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
  z.object({ kind: z.literal("version"), before: z.string(), after: z.string() }),
]);
export type ConfigurationChange = z.infer<typeof configurationChange>;

/** So many changes of one revision are told: an upgrade may map every field of every product anew. */
export const REVISION_CHANGES = 200;

/** A revision in the history, newest first. */
export interface RevisionView {
  revision: number;
  current: boolean;
  version: string;
  cause: z.infer<typeof configurationView>["cause"];
  restoredFrom: number | null;
  savedAt: string;
  savedBy: string;
  /** From the revision before it; empty for the first. At most `REVISION_CHANGES`. */
  changes: ConfigurationChange[];
  /** So many changes more, which are not told. */
  moreChanges: number;
  /** An earlier revision of the version that runs now can be restored. */
  restorable: boolean;
}

/** What the ledger says of one secret. */
export interface SecretLedger {
  name: string;
  title: string;
  configured: boolean;
  /** When an app last read the value that counts now; null when none did, or when nothing is set. */
  lastReadAt: string | null;
  /** Newest first, the last fifty. */
  entries: { action: (typeof SECRET_ACTIONS)[number]; revision: number; at: string; by: string | null }[];
}

/** The newest move to another version: under way, failed, or done. */
export const upgradeView = z.object({
  id: z.uuid(),
  from: z.string(),
  to: z.string(),
  rollback: z.boolean(),
  state: z.enum(UPGRADE_STATES),
  reason: z.string().nullable(),
  startedAt: moment,
  startedBy: z.string(),
  endedAt: moment.nullable(),
  /** It failed, and nothing was saved since: it can be tried again with the answers that it had. */
  retryable: z.boolean(),
});
export type UpgradeView = z.infer<typeof upgradeView>;

/** A version that an installation can move to. */
export const upgradeTarget = z.object({ versionId: z.uuid(), number: z.string(), publishedAt: moment });
export type UpgradeTarget = z.infer<typeof upgradeTarget>;

/** What moving to a version would change and ask: the upgrade page. */
export interface UpgradeOffer {
  installationId: string;
  title: string;
  name: string;
  test: boolean;
  tenantName: string;
  /** Goes with the request: a stale one is refused. */
  revision: number;
  from: UpgradeTarget;
  to: UpgradeTarget;
  /** `to` is the version that it ran before. */
  rollback: boolean;
  /** All that it could move to, newest first; `to` is among them. */
  targets: UpgradeTarget[];
  /** From this version to that one, in words; see lib/domain/manifest/compare-manifests.ts. */
  changes: {
    kind: string;
    change: "added" | "removed" | "changed" | "moved";
    name: string;
    title: string;
    details: { member: string; before: string | undefined; after: string | undefined }[];
  }[];
  /** As `to` declares them. */
  declared: z.infer<typeof setting>[];
  mappingFields: z.infer<typeof mappingField>[];
  /** What is stored now, as `to` would take it over: one for each of `declared`. */
  settings: z.infer<typeof settingView>[];
  mappings: z.infer<typeof mapping>[];
  products: ProductView[];
  /** What must be answered before it can move, by pointer: `/settings/<name>`, `/mappings/<product>/<field>`. */
  asks: Issue[];
  /** What may be answered: it is new and was never asked. The same pointers. */
  offers: string[];
  /** Titles of what is stored and not declared any more: kept for a way back, and read by nobody. */
  dropped: string[];
}
