import { deriveKey, seal, unseal, type Keyring } from "../platform/keyring";
import type { MailContent } from "./render-mail";

export interface SealedMail {
  /** Base64url of iv ‖ tag ‖ ciphertext. */
  sealed: string;
  masterKeyId: string;
}

const PURPOSE = "mail";

/** Opens only for the mail with this id. */
export function sealMail({ current }: Keyring, id: string, content: MailContent): SealedMail {
  const plain = Buffer.from(JSON.stringify(content), "utf8");
  return {
    sealed: seal(deriveKey(current, PURPOSE), plain, id).toString("base64url"),
    masterKeyId: current.id,
  };
}

/** Throws if the row was changed, or if the master key is missing. */
export function openMail(keyring: Keyring, id: string, { sealed, masterKeyId }: SealedMail): MailContent {
  const master = keyring.byId.get(masterKeyId);
  if (master === undefined)
    throw new Error(`PLATFORM_MASTER_KEYS lacks the key '${masterKeyId}' that seals the mail ${id}`);
  const { subject, text, html }: MailContent = JSON.parse(
    unseal(deriveKey(master, PURPOSE), Buffer.from(sealed, "base64url"), id).toString("utf8"),
  );
  return { subject, text, html };
}
