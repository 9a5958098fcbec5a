import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt } from "./columns";
import { organizations } from "./organizations";

/** Icons and screenshots of listings, as the platform encoded them. Immutable: another picture has another digest. */
export const images = pgTable(
  "images",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    /** SHA-256 of `bytes`, in hex. */
    digest: text("digest").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    /** WebP without metadata. */
    bytes: bytes("bytes").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.digest] }), index().on(table.digest)],
);
