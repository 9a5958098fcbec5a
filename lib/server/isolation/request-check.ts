import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import * as queries from "./queries";

const PAUSE_SECONDS = 60;

/** Lets a worker check again what apps can reach. Throws TOO_MANY_REQUESTS within a minute of the last request. */
export async function requestIsolationCheck({ db, keyring }: Platform, moderator: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await queries.request(tx)))
      throw new Problem(
        "TOO_MANY_REQUESTS",
        "A check was requested less than a minute ago. Wait a minute, then check again.",
        [],
        PAUSE_SECONDS,
      );
    await recordAudit(tx, keyring, {
      chain: "platform",
      actor: `user:${moderator.userId}`,
      action: "isolation.check",
      subject: "isolation",
    });
  });
}
