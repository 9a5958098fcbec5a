import { bigint, index, pgEnum, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { organizations } from "./accounts";
import { moment } from "./columns";

export const blobKindEnum = pgEnum("blob_kind", ["blob", "manifest"]);

/** What may be in the blob store. A row is written before its blob and deleted after it, so a row alone proves nothing. */
export const storedBlobs = pgTable(
  "stored_blobs",
  {
    /** `sha256:…` */
    digest: text("digest").primaryKey(),
    kind: blobKindEnum("kind").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** When a publication last needed it. */
    touchedAt: moment("touched_at").notNull().defaultNow(),
    /** The publication that touched it last. */
    touchedBy: uuid("touched_by").notNull(),
  },
  (table) => [index().on(table.touchedAt)],
);

/** Who has sent which blob. Only its own blobs exist for an organization, whatever others have stored. */
export const organizationBlobs = pgTable(
  "organization_blobs",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    digest: text("digest")
      .notNull()
      .references(() => storedBlobs.digest),
    touchedAt: moment("touched_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.digest] }),
    index().on(table.digest),
    index().on(table.touchedAt),
  ],
);

/** The blobs of a published image: its manifest, its configuration and its layers. */
export const imageBlobs = pgTable(
  "image_blobs",
  {
    /** As in `versions`: the digest of the image's manifest. */
    archiveDigest: text("archive_digest").notNull(),
    digest: text("digest")
      .notNull()
      .references(() => storedBlobs.digest),
  },
  (table) => [primaryKey({ columns: [table.archiveDigest, table.digest] }), index().on(table.digest)],
);

/** Blobs that an organization is sending. Their bytes are staged, as files or in pieces, until a version needs them. */
export const blobUploads = pgTable(
  "blob_uploads",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    digest: text("digest").notNull(),
    /** Of this attempt. One with another size starts over and gets another. */
    id: uuid("id").notNull().defaultRandom(),
    /** As declared. The checks of a publication find out whether it is true. */
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** How much is stored in pieces. Of a staged file, its size says it. */
    received: bigint("received", { mode: "number" }).notNull().default(0),
    touchedAt: moment("touched_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.digest] }),
    index().on(table.touchedAt),
    index().on(table.id),
  ],
);

/** Parts of blobs that are being sent, as blobs of the store. A row is written before its blob and deleted with it. */
export const uploadPieces = pgTable(
  "upload_pieces",
  {
    /** `sha256:…` of the piece as it is stored. */
    digest: text("digest").primaryKey(),
    /** Of the upload, which may have ended. */
    uploadId: uuid("upload_id").notNull(),
    /** Where it begins in the blob. */
    position: bigint("position", { mode: "number" }).notNull(),
    /** Of the blob. */
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** Null until it is a part of the upload. */
    acceptedAt: moment("accepted_at"),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [index().on(table.uploadId, table.position), index().on(table.createdAt)],
);
