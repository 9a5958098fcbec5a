import { openSettingWith } from "../keys/data-key";
import type { Platform } from "../platform";
import { selectSealed, type SealedSetting } from "./queries";
import { redactionOf, type Redaction, type Secret } from "./redact-secrets";

/**
 * What must be taken out of what is kept of a call: the secrets of the revision that the app reads with its key. One
 * select; nothing is opened where nothing is sealed.
 */
export async function redactionFor(
  platform: Platform,
  installationId: string,
  revision: number,
): Promise<Redaction> {
  return redactionOf(openSecrets(platform, await selectSealed(platform.pool, installationId, revision)));
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
