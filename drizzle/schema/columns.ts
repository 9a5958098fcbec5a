import { customType, integer, timestamp, uuid } from "drizzle-orm/pg-core";
import { v7 } from "uuid";
import { toStorableJson } from "../../lib/contract/platform/text";

/** Primary key: a UUIDv7, so that ids sort by creation. */
export const id = () => uuid("id").primaryKey().$defaultFn(v7);

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/**
 * A worker works on the row, until `leasedUntil` if it doesn't extend that. `leasedBy` is its claim: only who has it may settle the row.
 * `leasedWorker` is the worker, so that its leases end when it dies.
 */
export const lease = () => ({
  leasedUntil: moment("leased_until"),
  leasedBy: uuid("leased_by"),
  leasedWorker: integer("leased_worker"),
});

export const createdAt = () => moment("created_at").notNull().defaultNow();

/**
 * Any JavaScript string, stored as a JSON literal, because PostgreSQL's text can store neither NUL nor half a surrogate
 * pair. The literal escapes both.
 */
export const exactText = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (literal) => String(JSON.parse(literal)),
});

/** Words that a full-text search finds. PostgreSQL computes it, and nothing reads it. */
export const searchVector = customType<{ data: string }>({ dataType: () => "tsvector" });

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Like Drizzle's own, for values that may contain text from outside. */
export const jsonb = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "jsonb",
  toDriver: toStorableJson,
});
