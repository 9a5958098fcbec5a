import { sql, type SQL } from "drizzle-orm";

/** Buckets begin at multiples of their length since this moment, as `listBuckets` counts them. */
const ORIGIN = sql`timestamptz '2000-01-03 00:00:00Z'`;

/** When the bucket of a moment begins. */
export function timeBucket(bucketMs: number, moment: unknown): SQL<Date> {
  return sql<Date>`date_bin(${sql.raw(`interval '${bucketMs} milliseconds'`)}, ${moment}, ${ORIGIN})`;
}
