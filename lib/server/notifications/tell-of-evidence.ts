import { listSome } from "@/lib/domain/evidence/verdict";
import { PUBLISHING_ROLES } from "@/lib/domain/review-names";
import { currentClaim } from "@/lib/domain/review-queue";
import type { Db } from "../database/connect";
import { notify } from "./notify";
import { selectChecks } from "./subject-queries";

/**
 * The automatic checks of a version ended. Notifies the moderator who claimed its review, and its publisher if some
 * failed.
 */
export async function tellOfEvidence(tx: Db, reviewId: string): Promise<void> {
  const found = await selectChecks(tx, reviewId);
  if (found === undefined) return;
  const { organizationId, appName, title, number, checks, reason } = found;
  const app = `${number} of ${title}`;
  const failed = checks.filter(({ result }) => result === "FAIL").map((check) => check.title);
  const result = `Failed: ${listSome(failed)}.`;
  const subject = `evidence:${reviewId}`;
  const moderator = currentClaim(found, new Date());
  if (moderator !== undefined)
    await notify(tx, {
      kind: "review-submitted",
      to: { userId: moderator },
      title: `The checks of version ${app} ${reason === null ? "are ready" : "could not be completed"}`,
      body: reason ?? (failed.length === 0 ? "No check failed." : result),
      href: `/moderation/${reviewId}#evidence`,
      subject,
    });
  if (failed.length > 0)
    await notify(tx, {
      kind: "version",
      to: { organizationId, roles: PUBLISHING_ROLES },
      title: `Version ${app} failed its automatic checks`,
      body: result,
      href: `/publish/${appName}/reviews/${reviewId}#evidence`,
      subject,
    });
}
