import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns";

/** What moderators see: the platform's trail, and what moderation does to listings of all organizations. */
export const OF_MODERATORS = sql`chain = 'platform' or action like 'review.%' or action in ('listing.suspend', 'listing.reinstate')`;

/** One row per mutation, in the same transaction. Each `seal` covers its row and the previous row's seal. */
export const audit = pgTable(
  "audit",
  {
    id: id(),
    /** Organization id, or `platform`. */
    chain: text("chain").notNull(),
    position: integer("position").notNull(),
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    details: jsonb("details").$type<Record<string, unknown>>().notNull(),
    at: createdAt(),
    /** `<id of the audit key>:<HMAC-SHA-256, hex>`. */
    seal: text("seal").notNull(),
  },
  (table) => [
    unique().on(table.chain, table.position),
    // One for each filter of the page, in its order.
    index("audit_of_chain").on(table.chain, table.at, table.id),
    index("audit_of_actor").on(table.chain, table.actor, table.at, table.id),
    index("audit_of_action").on(table.chain, table.action, table.at, table.id),
    index("audit_of_subject").on(table.chain, table.subject, table.at, table.id),
    index("audit_of_moderators").on(table.at, table.id).where(OF_MODERATORS),
  ],
);

/** The end of each chain, so that a truncated trail is detected. */
export const auditHeads = pgTable("audit_heads", {
  chain: text("chain").primaryKey(),
  position: integer("position").notNull(),
  seal: text("seal").notNull(),
  /** HMAC over chain, position and seal. */
  headSeal: text("head_seal").notNull(),
});

/** Keys that seal the audit trails. Each seal starts with the id of its key. */
export const auditKeys = pgTable("audit_keys", {
  id: text("id").primaryKey(),
  /** A 256-bit key, sealed by the master key that `masterKeyId` names. */
  wrapped: text("wrapped").notNull(),
  masterKeyId: text("master_key_id").notNull(),
  createdAt: createdAt(),
});

export const signingKeys = pgTable("signing_keys", {
  id: uuid("id").primaryKey(),
  /** Ed25519 public JWK, as the JWKS shows it. */
  publicJwk: jsonb("public_jwk").$type<Record<string, string>>().notNull(),
  /** Private JWK, sealed by the master key that `masterKeyId` names. */
  wrapped: text("wrapped").notNull(),
  masterKeyId: text("master_key_id").notNull(),
  createdAt: createdAt(),
  retiredAt: moment("retired_at"),
});
