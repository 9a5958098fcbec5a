import { openSettingWith } from "../platform/data-key";
import type { Foundation } from "../platform/platform";
import { createRedaction, type Redaction } from "../platform/redaction/redact-secrets";
import type { Secret } from "../platform/redaction/secret-forms";
import { REDACTIONS } from "./call-metrics";
import { type SealedSetting, selectSealedOfInstallation } from "./secret-queries";

/** Removes the secrets that an app can know at a call: of its own revision, and of others that are not scrubbed yet. */
export async function redactionFor(
  foundation: Foundation,
  installationId: string,
  revision: number,
): Promise<Redaction> {
  const sealed = await selectSealedOfInstallation(foundation.pool, installationId, revision);
  const redact = createRedaction(openSecrets(foundation, sealed));
  return (text, cut) => {
    const redacted = redact(text, cut);
    if (redacted !== text) foundation.metrics.add(REDACTIONS, {});
    return redacted;
  };
}

/** Leaves out a value that cannot be opened: no app can have received it, and it must not block an uninstall. */
export function openSecrets({ keyring, log }: Foundation, sealed: readonly SealedSetting[]): Secret[] {
  return sealed.flatMap(({ organizationId, installationId, name, sealed: text, wrapped, masterKeyId }) => {
    try {
      const place = { organizationId, installationId, name };
      // No setting has a colon in its name.
      const [shown = name] = name.split(":");
      return [{ name: shown, value: openSettingWith(keyring, { wrapped, masterKeyId }, place, text) }];
    } catch {
      log.error({ installationId, setting: name }, "a sealed setting cannot be opened");
      return [];
    }
  });
}
