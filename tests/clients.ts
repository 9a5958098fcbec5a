import type { Client } from "@/lib/server/accounts/sessions";
import { openMail } from "@/lib/server/platform/notifications/render-mail";
import type { Platform } from "@/lib/server/platform/platform";

/** Somebody at an address. `devices`: users who signed in with this browser, each with the browser's name. */
export function givenClient(network = "203.0.113.1", devices: Record<string, string> = {}): Client {
  return {
    network,
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
    devices: new Map(Object.entries(devices)),
  };
}

/** The emails that wait to be sent, oldest first. */
export async function readMails(platform: Platform) {
  const { rows } = await platform.pool.query<{ id: string; to: string; sealed: string; masterKeyId: string }>(
    `select id, recipient as to, sealed, master_key_id as "masterKeyId" from mails order by id`,
  );
  return rows.map(({ id, to, ...sealed }) => ({ to, ...openMail(platform.keyring, id, sealed) }));
}

/** The token of the link in an email. */
export function findToken(text: string): string {
  const token = /#([\w-]{43})/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in: ${text}`);
  return token;
}
