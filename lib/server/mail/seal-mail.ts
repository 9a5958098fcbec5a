import { unwrapOnce, wrapKey } from "../keys/wrapped-key";
import type { Keyring } from "../platform/keyring";
import type { MailContent } from "./render-mail";

export interface SealedMail {
  /** Base64url of iv ‖ tag ‖ ciphertext. */
  sealed: string;
  masterKeyId: string;
}

/** Opens only for the email with this id. A rotation of the master keys seals it again. */
export function sealMail({ current }: Keyring, id: string, content: MailContent): SealedMail {
  const { wrapped, masterKeyId } = wrapKey(current, "mail", id, Buffer.from(JSON.stringify(content), "utf8"));
  return { sealed: wrapped, masterKeyId };
}

/** Throws if the row was changed, or if the master key is missing. */
export function openMail(keyring: Keyring, id: string, { sealed, masterKeyId }: SealedMail): MailContent {
  const plain = unwrapOnce(keyring, "mail", id, { wrapped: sealed, masterKeyId });
  const { subject, text, html }: MailContent = JSON.parse(plain.toString("utf8"));
  return { subject, text, html };
}
