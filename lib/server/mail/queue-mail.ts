import { v7 } from "uuid";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import type { Keyring } from "../platform/keyring";
import { insertMail } from "./queries";
import type { MailContent } from "./render-mail";
import { sealMail } from "./seal-mail";

/** One address. A list of them would be several recipients. */
const ADDRESS = /^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+$/;

/**
 * Queues an email in the transaction of the change that it reports: a change that is rolled back sends nothing, and one
 * that is committed is reported even if this process dies. Write the content with `renderMail`. It may contain a
 * secret, such as a link to reset a password: it is sealed, and deleted once the email was sent.
 */
export async function queueMail(
  tx: Db,
  keyring: Keyring,
  { to, ...content }: MailContent & { to: string },
): Promise<void> {
  if (!ADDRESS.test(to)) throw new Error("a mail goes to one address");
  const id = v7();
  await insertMail(tx, { id, recipient: to, ...sealMail(keyring, id, content) });
  await notifyWorker(tx);
}
