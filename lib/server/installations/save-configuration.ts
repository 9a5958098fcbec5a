import type { SettingAction } from "@/lib/contract/installation";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { differenceOf, isNone } from "../configurations/compare-configurations";
import { mergeConfiguration } from "../configurations/merge-configuration";
import { nextRevision, selectConfiguration } from "../configurations/queries";
import { sawOthers, schemasSeen, type SchemaDigests } from "../configurations/schemas-seen";
import { storeConfiguration } from "../configurations/store-configuration";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { selectProducts, type ProductRow } from "../tenants/queries";
import type { HeldInstallation } from "./hold-to-configure";
import { moveRevision } from "./change/queries";

type Stored = NonNullable<Awaited<ReturnType<typeof selectConfiguration>>>;

interface Answers {
  settings: Readonly<Record<string, SettingAction>>;
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The schemas that the mappings were made for, where nobody looked at them now. */
  schemas?: SchemaDigests;
}

/** Where the revision comes from, and how it answers what is asked, given what is stored now. */
export interface Save {
  cause: "configure" | "restore";
  restoredFrom?: number;
  answers: (stored: Stored, products: readonly ProductRow[]) => Answers;
}

/**
 * Makes of answers the revision that serves from now on. Where they change nothing, none is written, and the answer is
 * the current one. Throws BAD_INPUT with every issue.
 */
export async function saveConfiguration(
  platform: Platform,
  tx: Db,
  member: Member,
  held: HeldInstallation,
  { cause, restoredFrom, answers }: Save,
): Promise<{ revision: number }> {
  const { id, versionId, manifest } = held;
  const organizationId = member.organization.id;
  const stored = await selectConfiguration(tx, id, held.revision);
  if (stored === undefined) throw new Error(`installation ${id} has no revision ${held.revision}`);
  const products = await selectProducts(tx, [held.tenantId]);
  const place = { organizationId, installationId: id };
  const given = answers(stored, products);
  const merged = await mergeConfiguration(platform, tx, place, manifest, products, stored, given);
  if (merged.issues.length > 0)
    throw new Problem(
      "BAD_INPUT",
      "The configuration is not complete: see the marked fields.",
      merged.issues,
    );
  const difference = differenceOf(stored, merged);
  const schemaDigests =
    given.schemas === undefined
      ? schemasSeen(products, stored.schemaDigests, given.mappings)
      : schemasSeen(products, given.schemas, {});
  if (isNone(difference) && !sawOthers(stored.schemaDigests, schemaDigests))
    return { revision: held.revision };
  const revision = await nextRevision(tx, id);
  await storeConfiguration(platform, tx, member, {
    installationId: id,
    revision,
    versionId,
    cause,
    restoredFrom,
    declared: manifest.app.fields,
    outcomes: merged.outcomes,
    mappings: merged.mappings,
    schemaDigests,
    stored: stored.settings,
  });
  await moveRevision(tx, organizationId, id, held.revision, revision);
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: `installation.${cause}`,
    subject: `installation:${id}`,
    details: { revision, ...(restoredFrom === undefined ? {} : { restoredFrom }), ...difference },
  });
  return { revision };
}
