import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { organizations, users } from "@/drizzle/schema/accounts";
import { listings } from "@/drizzle/schema/catalog";
import { listingReports } from "@/drizzle/schema/moderation";
import type { Db } from "../platform/database/connect";
import { isBeyondId, sortBy } from "../platform/database/paging";
import type { HistoryPage } from "./review-queries";

export async function insertReport(
  tx: Db,
  row: { listingId: string; text: string; reportedBy: string },
): Promise<string> {
  const [report] = await tx.insert(listingReports).values(row).returning({ id: listingReports.id });
  if (report === undefined) throw new Error("the report was not stored");
  return report.id;
}

const isInState = (isOpen: boolean) =>
  isOpen ? isNull(listingReports.closedAt) : isNotNull(listingReports.closedAt);

/** Newest first. */
export async function selectReports(db: Db, isOpen: boolean, { position, limit }: HistoryPage) {
  return db
    .select({
      id: listingReports.id,
      text: listingReports.text,
      createdAt: listingReports.createdAt,
      closedAt: listingReports.closedAt,
      reporter: users.name,
      listingId: listings.id,
      title: listings.title,
      appName: listings.appName,
      state: listings.state,
      organizationSlug: organizations.slug,
      organizationName: organizations.name,
    })
    .from(listingReports)
    .innerJoin(users, eq(users.id, listingReports.reportedBy))
    .innerJoin(listings, eq(listings.id, listingReports.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(and(isInState(isOpen), isBeyondId(position, listingReports.id, "descending")))
    .orderBy(...sortBy("descending", position, listingReports.id))
    .limit(limit);
}

/** Of all listings, or of one. */
export async function countReports(db: Db, isOpen: boolean, listingId?: string): Promise<number> {
  const isOfListing = listingId === undefined ? undefined : eq(listingReports.listingId, listingId);
  return db.$count(listingReports, and(isInState(isOpen), isOfListing));
}

/** The listing that an unhandled or handled report is about, and the listing's organization. */
export async function selectReported(db: Db, reportId: string) {
  const [report] = await db
    .select({ listingId: listings.id, organizationId: listings.organizationId })
    .from(listingReports)
    .innerJoin(listings, eq(listings.id, listingReports.listingId))
    .where(eq(listingReports.id, reportId));
  return report;
}

/** False if it is handled already. */
export async function closeReportRow(tx: Db, reportId: string, closedBy: string): Promise<boolean> {
  const closed = await tx
    .update(listingReports)
    .set({ closedBy, closedAt: new Date() })
    .where(and(eq(listingReports.id, reportId), isNull(listingReports.closedAt)))
    .returning({ id: listingReports.id });
  return closed.length === 1;
}
