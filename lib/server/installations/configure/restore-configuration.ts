import { isDeepStrictEqual } from "node:util";
import type { RestoreInput, SettingAction } from "@/lib/contract/installation";
import type { Manifest } from "@/lib/contract/manifest";
import { isSensitive, listSettings } from "@/lib/contract/manifest-terms";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { SchemaDigests } from "../../configurations/mapped-schemas";
import { type RevisionRow, selectServed, type StoredSetting } from "../../configurations/queries";
import { selectVersionsByIds } from "../../versions/queries";
import type { Platform } from "../../platform/platform";
import { lockToConfigure, saveConfiguration } from "./save-configuration";

/**
 * Saves an earlier revision as a new one: its plain settings and mappings, with the current secrets. Skips products that
 * are gone; products added since keep their mapping. Throws WRONG_STATE for a revision of another version, BAD_INPUT with
 * every issue if it is not valid anymore.
 */
export async function restoreConfiguration(
  platform: Platform,
  member: Member,
  id: string,
  revision: string,
  input: RestoreInput,
): Promise<{ revision: number }> {
  return platform.db.transaction(async (tx) => {
    const locked = await lockToConfigure(tx, member, id, input.revision);
    const number = /^[1-9]\d{0,8}$/.test(revision) ? Number(revision) : 0;
    const [source] = await selectServed(tx, id, number, 1);
    if (source === undefined || source.revision !== number) throw new Problem("NOT_FOUND");
    if (source.versionId !== locked.versionId) {
      const [then] = await selectVersionsByIds(tx, [source.versionId]);
      throw new Problem(
        "WRONG_STATE",
        `Revision ${number} belongs to version ${then?.number}, but ${locked.number} is running. You can only restore revisions of the running version.`,
      );
    }
    return saveConfiguration(platform, tx, member, locked, {
      cause: "restore",
      restoredFrom: number,
      answers: (now, products) => ({
        settings: restoreSettings(locked.manifest, source, now.settings),
        mappings: restoreMappings(
          locked.manifest,
          source,
          products.map(({ name }) => name),
        ),
        schemas: restoreSchemas(source, now),
      }),
    });
  });
}

/** Clears what was absent then; for a required setting, that is an issue. Leaves out secrets, which keeps them. */
function restoreSettings(
  manifest: Manifest,
  source: RevisionRow,
  now: Readonly<Record<string, StoredSetting>>,
): Record<string, SettingAction> {
  const [then, current] = [new Map(Object.entries(source.settings)), new Map(Object.entries(now))];
  const actions = listSettings(manifest).flatMap((setting): [string, SettingAction][] => {
    const { name } = setting;
    const before = then.get(name);
    const isSecret =
      isSensitive(setting) ||
      current.get(name)?.kind === "sealed" ||
      (before !== undefined && before.kind !== "plain");
    if (isSecret) return [];
    if (before?.kind === "plain") return [[name, { action: "set", value: before.value }]];
    return [[name, { action: "clear" }]];
  });
  return Object.fromEntries(actions);
}

/** An empty path clears. Leaves out products that the revision did not have, which keeps their mapping. */
function restoreMappings(
  manifest: Manifest,
  source: RevisionRow,
  products: readonly string[],
): Record<string, Record<string, string>> {
  const fields = manifest.core?.fields ?? [];
  const present = source.mappings.filter(({ productName }) => products.includes(productName));
  return Object.fromEntries(
    present.map((mapping) => {
      const paths = new Map(Object.entries(mapping.fields));
      return [
        mapping.productName,
        Object.fromEntries(fields.map(({ name }) => [name, paths.get(name) ?? ""])),
      ];
    }),
  );
}

type Mapped = Pick<RevisionRow, "mappings" | "schemaDigests">;

/** A restored mapping belongs to the schema it was made for; an unchanged one keeps the schema last reviewed. */
function restoreSchemas(source: Mapped, now: Mapped): SchemaDigests {
  const fieldsNow = new Map(now.mappings.map(({ productName, fields }) => [productName, fields]));
  const madeFor = new Map(Object.entries(source.schemaDigests));
  const restored = source.mappings.filter(
    ({ productName, fields }) => !isDeepStrictEqual(fields, fieldsNow.get(productName)),
  );
  const schemas = restored.map(({ productName }) => [productName, madeFor.get(productName) ?? ""]);
  return { ...now.schemaDigests, ...Object.fromEntries(schemas) };
}
