/** Configurations, their history and upgrade offers, as pages receive them. Times are ISO 8601 text. */
import * as z from "zod";
import { settingView } from "../catalog/configuration";
import { CONFIGURATION_CAUSES, type SECRET_ACTIONS, UPGRADE_STATES } from "../catalog/installation-states";
import { mappingField, type PublicEndpoint, setting } from "../catalog/manifest";
import type { Issue } from "../platform/problem";
import type { Enforcement, RightsView } from "../catalog/rights";

const moment = z.iso.datetime();

/** A product for the mapping form. */
export const productView = z.object({
  name: z.string(),
  /** JSON Schema of its policy data, as the core returned it. */
  schema: z.unknown(),
  /** Policy data as the core returned it, to try paths with. Absent if it returned none. */
  sample: z.unknown().optional(),
  /** When the schema last changed. */
  changedAt: moment,
  /** The schema changed since the current mapping was saved. */
  changedSinceMapped: z.boolean(),
});
export type ProductView = z.infer<typeof productView>;

const mapping = z.object({ productName: z.string(), fields: z.record(z.string(), z.string()) });

/** The current configuration with everything its form needs: `GET /api/installations/<id>/configuration`. */
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
  /** As the manifest declares them, without unknown keys. */
  declared: z.array(setting),
  mappingFields: z.array(mappingField),
  /** The app can check the settings before they are saved. */
  checksConfiguration: z.boolean(),
  /** One for each declared setting, in the same order. */
  settings: z.array(settingView),
  mappings: z.array(mapping),
  products: z.array(productView),
});
export type ConfigurationView = z.infer<typeof configurationView>;

/** One difference between a revision and the one before it. Of a secret, only that it changed. */
export const configurationChange = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("setting"),
    name: z.string(),
    title: z.string(),
    /** The shown value, such as a Select's text. Absent: skipped. */
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

/** The most changes listed for one revision: an upgrade may remap every field of every product. */
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
  /** Since the revision before it; empty for the first. At most `REVISION_CHANGES`. */
  changes: ConfigurationChange[];
  /** How many more changes there are. */
  moreChanges: number;
  /** Only earlier revisions of the current version can be restored. */
  restorable: boolean;
}

/** The ledger of one secret. */
export interface SecretLedger {
  name: string;
  title: string;
  configured: boolean;
  /** When an app last read the current value; null if none did, or if no value is set. */
  lastReadAt: string | null;
  /** The last fifty, newest first. */
  entries: { action: (typeof SECRET_ACTIONS)[number]; revision: number; at: string; by: string | null }[];
  /** How many earlier ones there are. */
  moreEntries: number;
}

/** A publisher's terms, as a page shows and accepts them. */
export const termsView = z.object({ url: z.string(), version: z.string() });

/** The newest upgrade or rollback: in progress, failed or done. */
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
  /** It failed and nothing was saved since, so it can be retried with the same answers. */
  retryable: z.boolean(),
});
export type UpgradeView = z.infer<typeof upgradeView>;

/** A version that an installation can switch to. */
export const upgradeTarget = z.object({
  versionId: z.uuid(),
  number: z.string(),
  publishedAt: moment,
  /** It is not reviewed yet; only pilots may move to it, if they agree. */
  pilot: z.literal(true).optional(),
});
export type UpgradeTarget = z.infer<typeof upgradeTarget>;

/** What switching to a version would change and ask, for the upgrade page. */
/** An upgrade to the newest version that can begin without an answer; otherwise why not. */
export const quickUpgrade = z.object({
  ready: z.object({ versionId: z.uuid(), revision: z.int(), to: z.string() }).nullable(),
  why: z.string().nullable(),
});
export type QuickUpgrade = z.infer<typeof quickUpgrade>;

export interface UpgradeOffer {
  installationId: string;
  title: string;
  name: string;
  test: boolean;
  tenantName: string;
  /** Sent back with the request; an outdated one is refused. */
  revision: number;
  from: UpgradeTarget;
  to: UpgradeTarget;
  /** `to` is the version it ran before. */
  rollback: boolean;
  /** All versions it could switch to, newest first, including `to`. */
  targets: UpgradeTarget[];
  /** From this version to that one; see lib/domain/catalog/manifest/compare-manifests.ts. */
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
  /** The app of `to` can check the settings before they are saved. */
  checksConfiguration: boolean;
  /** The stored values as `to` would receive them: one for each of `declared`. */
  settings: z.infer<typeof settingView>[];
  mappings: z.infer<typeof mapping>[];
  products: ProductView[];
  /** Answers required before the switch, by pointer: `/settings/<name>`, `/mappings/<product>/<field>`. */
  asks: Issue[];
  /** New optional answers, by the same pointers. */
  offers: string[];
  /** Public endpoints of `to` that were not public before: they open only if the customer agrees. */
  publicEndpoints: PublicEndpoint[];
  /** What `to` may do more and less. `isMore`: the customer has to agree. */
  rights: { added: RightsView; removed: string[]; isMore: boolean };
  /** The publisher's terms that were not accepted for the installation yet: the customer has to. Never of a rollback. */
  newTerms?: z.infer<typeof termsView>;
  enforcement: Enforcement;
  /** Titles of stored settings that `to` no longer declares: kept for a rollback, but no app reads them. */
  dropped: string[];
}
