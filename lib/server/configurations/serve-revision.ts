import { isSensitive } from "@/lib/contract/manifest";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import type { ConfigurationPlace } from "./kept-settings";
import { selectConfiguration, selectVersionsOf, supersede } from "./queries";
import { sealEarlier } from "./secrets/seal-earlier";

/**
 * From now on this revision serves. What came before it is kept for the keys that name it, until they are dead; and what
 * is a secret by now is sealed there too. In the transaction that moves the installation to it.
 */
export async function serveRevision(
  platform: Platform,
  tx: Db,
  place: ConfigurationPlace,
  revision: number,
): Promise<void> {
  const { installationId } = place;
  const serving = await selectConfiguration(tx, installationId, revision);
  if (serving === undefined) throw new Error(`installation ${installationId} has no revision ${revision}`);
  const [version] = await selectVersionsOf(tx, [serving.versionId]);
  const declared = version?.manifest.app.fields.filter(isSensitive).map(({ name }) => name) ?? [];
  const sealed = Object.entries(serving.settings).flatMap(([name, { kind }]) =>
    kind === "sealed" ? [name] : [],
  );
  await supersede(tx, installationId, revision);
  await sealEarlier(platform, tx, place, revision, [...new Set([...declared, ...sealed])]);
}
