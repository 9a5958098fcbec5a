import { integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns";

/** One row a mutation, in the same transaction; each row's `seal` covers it and the one before it in its chain. */
export const audit = pgTable(
  "audit",
  {
    id: id(),
    /** Organization id, or `platform` for what concerns none. */
    chain: text("chain").notNull(),
    position: integer("position").notNull(),
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    details: jsonb("details").$type<Record<string, unknown>>().notNull(),
    at: createdAt(),
    /** HMAC-SHA-256, hex. */
    seal: text("seal").notNull(),
  },
  (table) => [unique().on(table.chain, table.position)],
);

/** The end of each chain, so that a trail cut short is noticed. */
export const auditHeads = pgTable("audit_heads", {
  chain: text("chain").primaryKey(),
  position: integer("position").notNull(),
  seal: text("seal").notNull(),
  /** HMAC over chain, position and seal. */
  headSeal: text("head_seal").notNull(),
});

/** Of each chain that a rotation of master keys is sealing anew: how far it is. None is there at other times. */
export const auditResealings = pgTable("audit_resealings", {
  chain: text("chain").primaryKey(),
  /** The last row with a new seal. */
  position: integer("position").notNull(),
  /** The seal that this row had before, to which the next one links still. */
  before: text("before").notNull(),
  /** HMAC over chain, position, `before` and the row's new seal. */
  seal: text("seal").notNull(),
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
