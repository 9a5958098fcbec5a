import { bigint, doublePrecision, index, integer, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { moment } from "./columns";
import { versions } from "./listings";

const count = (name: string) => bigint(name, { mode: "number" });

/**
 * What a running instance of a version used at one moment, kept for two days. Without foreign keys, because they are many.
 * Limits are null if there are none.
 */
export const usageSamples = pgTable(
  "usage_samples",
  {
    versionId: uuid("version_id").notNull(),
    at: moment("at").notNull(),
    instanceId: uuid("instance_id").notNull(),
    /** CPU time since the instance started, in nanoseconds. */
    cpuNs: count("cpu_ns").notNull(),
    /**
     * CPU time since the sample before, in nanoseconds, and how long ago that was, in milliseconds. Null for the first sample
     * of an instance, after a gap, and if its counter began again.
     */
    usedNs: count("used_ns"),
    elapsedMs: integer("elapsed_ms"),
    memoryBytes: count("memory_bytes").notNull(),
    /** Thousandths of a core, and bytes. */
    cpuLimitMillis: integer("cpu_limit_millis"),
    memoryLimitBytes: count("memory_limit_bytes"),
  },
  (table) => [
    primaryKey({ name: "usage_samples_pk", columns: [table.versionId, table.at, table.instanceId] }),
    index().on(table.at),
  ],
);

/** The samples of each version and hour added up as they come, kept for a month. */
export const usageHours = pgTable(
  "usage_hours",
  {
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id, { onDelete: "cascade" }),
    /** When it begins. */
    hour: moment("hour").notNull(),
    samples: integer("samples").notNull(),
    usedNs: count("used_ns").notNull(),
    /** The time in which `usedNs` was used. */
    elapsedMs: count("elapsed_ms").notNull(),
    /** Of the busiest time between two samples, in cores; null if there was none. */
    peakCores: doublePrecision("peak_cores"),
    /** Of all samples together. */
    memoryBytes: count("memory_bytes").notNull(),
    peakMemoryBytes: count("peak_memory_bytes").notNull(),
    cpuLimitMillis: integer("cpu_limit_millis"),
    memoryLimitBytes: count("memory_limit_bytes"),
  },
  (table) => [
    primaryKey({ name: "usage_hours_pk", columns: [table.versionId, table.hour] }),
    index().on(table.hour),
  ],
);
