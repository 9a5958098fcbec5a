import { isDeepStrictEqual } from "node:util";
import type { RestoreInput, SettingAction } from "@/lib/contract/installation";
import { isSensitive, type Manifest } from "@/lib/contract/manifest";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { selectServed, type RevisionRow, type StoredSetting } from "../configurations/queries";
import type { SchemaDigests } from "../configurations/schemas-seen";
import type { Platform } from "../platform/platform";
import { holdToConfigure } from "./hold-to-configure";
import { selectVersionNumber } from "./change/queries";
import { saveConfiguration } from "./save-configuration";

/**
 * Saves an earlier revision as a new one: its plain settings and mappings, and the secrets as they are now. Products that
 * are gone are left out, and those that came since keep their mapping. Throws WRONG_STATE for a revision of another
 * version, BAD_INPUT with every issue where it does not do any more.
 */
export async function restoreConfiguration(
  platform: Platform,
  member: Member,
  id: string,
  revision: string,
  input: RestoreInput,
): Promise<{ revision: number }> {
  return platform.db.transaction(async (tx) => {
    const held = await holdToConfigure(tx, member, id, input.revision);
    const number = /^[1-9]\d{0,8}$/.test(revision) ? Number(revision) : 0;
    const [source] = await selectServed(tx, id, number, 1);
    if (source === undefined || source.revision !== number) throw new Problem("NOT_FOUND");
    if (source.versionId !== held.versionId) {
      const then = await selectVersionNumber(tx, source.versionId);
      throw new Problem(
        "WRONG_STATE",
        `Revision ${number} was saved for version ${then}, and ${held.number} runs now. Only revisions of the version that runs can be restored.`,
      );
    }
    return saveConfiguration(platform, tx, member, held, {
      cause: "restore",
      restoredFrom: number,
      answers: (now, products) => ({
        settings: settingsOf(held.manifest, source, now.settings),
        mappings: mappingsOf(
          held.manifest,
          source,
          products.map(({ name }) => name),
        ),
        schemas: schemasOf(source, now),
      }),
    });
  });
}

/** What was absent then is cleared; if the app needs it, that is an issue. A secret is left out: that keeps it. */
function settingsOf(
  manifest: Manifest,
  source: RevisionRow,
  now: Readonly<Record<string, StoredSetting>>,
): Record<string, SettingAction> {
  const [then, held] = [new Map(Object.entries(source.settings)), new Map(Object.entries(now))];
  const actions = manifest.app.fields.flatMap((setting): [string, SettingAction][] => {
    const { name } = setting;
    const before = then.get(name);
    const isSecret =
      isSensitive(setting) ||
      held.get(name)?.kind === "sealed" ||
      (before !== undefined && before.kind !== "plain");
    if (isSecret) return [];
    if (before?.kind === "plain") return [[name, { action: "set", value: before.value }]];
    return [[name, { action: "clear" }]];
  });
  return Object.fromEntries(actions);
}

/** An empty path clears; a product that the revision did not know is left out, which keeps its mapping. */
function mappingsOf(
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

/** A path that comes back is for the schema that it was made for; one that stays, for the one that it was seen for last. */
function schemasOf(source: Mapped, now: Mapped): SchemaDigests {
  const fieldsNow = new Map(now.mappings.map(({ productName, fields }) => [productName, fields]));
  const madeFor = new Map(Object.entries(source.schemaDigests));
  const back = source.mappings.filter(
    ({ productName, fields }) => !isDeepStrictEqual(fields, fieldsNow.get(productName)),
  );
  const schemas = back.map(({ productName }) => [productName, madeFor.get(productName) ?? ""]);
  return { ...now.schemaDigests, ...Object.fromEntries(schemas) };
}
