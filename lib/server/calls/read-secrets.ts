import { openSettingWith } from "../keys/data-key";
import type { Platform } from "../platform/platform";
import type { SealedSetting } from "./secret-queries";
import { redactionOf, type Redaction } from "./redact-secrets";
import type { Secret } from "./secret-forms";
import { selectSealedOfInstallation } from "./secret-queries";

/**
 * What must be taken out of what is kept of a call: the secrets of the revision that the app reads with its key, and
 * those of other revisions that are still sealed. One select; nothing is opened where nothing is sealed.
 */
export async function redactionFor(
  platform: Platform,
  installationId: string,
  revision: number,
): Promise<Redaction> {
  const sealed = await selectSealedOfInstallation(platform.pool, installationId, revision);
  return redactionOf(openSecrets(platform, sealed));
}

/** A value that cannot be opened is left out: no app can have got it, and it must not keep an app from its removal. */
export function openSecrets(platform: Platform, sealed: readonly SealedSetting[]): Secret[] {
  return sealed.flatMap(({ organizationId, installationId, name, sealed: text, wrapped, masterKeyId }) => {
    try {
      const place = { organizationId, installationId, name };
      return [{ name, value: openSettingWith(platform.keyring, { wrapped, masterKeyId }, place, text) }];
    } catch {
      platform.log.error({ installationId, setting: name }, "a sealed setting cannot be opened");
      return [];
    }
  });
}
