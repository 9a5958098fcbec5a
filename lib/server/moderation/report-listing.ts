import type { ReportInput } from "@/lib/contract/moderation/review";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor } from "@/lib/domain/platform/actor";
import { countTry } from "../accounts/count-tries";
import { requireListing, toViewer } from "../catalog/marketplace";
import { sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { refuseOwn } from "./decide-review";
import { readHistory } from "./read-moderated-listings";
import * as queries from "./report-queries";

/**
 * Tells the moderators of a problem with a public listing that the person sees. Throws NOT_FOUND, WRONG_STATE if the person's
 * last report about it is not handled yet, or TOO_MANY_REQUESTS.
 */
export async function reportListing(
  platform: Platform,
  actor: Actor,
  listingId: string,
  { text, link }: ReportInput,
): Promise<{ reportId: string }> {
  const { userId } = actor;
  const { listing } = await requireListing(platform, { id: listingId }, toViewer(actor), link);
  const { title, state } = listing;
  if (state !== "PUBLIC") throw new Problem("NOT_FOUND");
  // Only reports that reach the moderators count.
  const counted = await countTry(platform, [["report-account", userId]]);
  const made = platform.db.transaction(async (tx) => {
    const report = { listingId, text, reportedBy: userId };
    const reportId = await queries.insertReport(tx, report).catch((error: unknown) => {
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
      throw new Problem(
        "WRONG_STATE",
        `You already reported a problem with ${title}. A moderator has not handled that report yet.`,
      );
    });
    await notify(tx, {
      kind: "report",
      to: { moderators: true },
      title: `A problem with ${title} was reported`,
      body: text,
      href: "/moderation/reports",
      subject: `listing-reports:${listingId}`,
    });
    // The publisher doesn't learn who wrote it.
    await recordAudit(tx, platform.keyring, {
      chain: "platform",
      actor: `user:${userId}`,
      action: "listing.report",
      subject: `listing:${listingId}`,
      details: { reportId },
    });
    return { reportId };
  });
  return made.catch(async (error: unknown) => {
    await counted.giveBack();
    throw error;
  });
}

/** A page of the reports that are open, or handled, newest first. `open`: how many there are. */
export async function listReports({ db }: Platform, query: { state?: string; after?: string }) {
  const isOpen = query.state !== "handled";
  const [{ rows: reports, ...pages }, open, handled] = await Promise.all([
    readHistory(query.after, (history) => queries.selectReports(db, isOpen, history)),
    queries.countReports(db, true),
    queries.countReports(db, false),
  ]);
  return { isOpen, open, handled, reports, ...pages };
}

/** Marks a report as handled. Throws NOT_FOUND, NOT_ALLOWED (the moderator's own organization), or WRONG_STATE. */
export async function closeReport(platform: Platform, moderator: Actor, reportId: string): Promise<void> {
  const report = await queries.selectReported(platform.db, reportId);
  if (report === undefined) throw new Problem("NOT_FOUND");
  await refuseOwn(platform, moderator, report.organizationId);
  await platform.db.transaction(async (tx) => {
    if (!(await queries.closeReportRow(tx, reportId, moderator.userId)))
      throw new Problem("WRONG_STATE", "This report is handled already. Reload the page.");
    await recordAudit(tx, platform.keyring, {
      chain: "platform",
      actor: `user:${moderator.userId}`,
      action: "listing.close-report",
      subject: `listing:${report.listingId}`,
      details: { reportId },
    });
  });
}
