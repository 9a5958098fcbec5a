import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import { type ApiKeyScope, FIRST_SCOPES } from "../../lib/contract/accounts/api-key-scope";
import { DOMAIN_PROOFS, DOMAIN_STATES } from "../../lib/contract/accounts/domain";
import { ROLES } from "../../lib/contract/platform/role";
import { createdAt, id, jsonb, lease, moment } from "./columns";

export const roleEnum = pgEnum("role", ROLES);

export const organizations = pgTable(
  "organizations",
  {
    id: id(),
    slug: text("slug").notNull().unique(),
    name: text("name").notNull(),
    /** Stores payloads and answers of production calls. Those of Test Launches and test calls are always stored. */
    recordBodies: boolean("record_bodies").notNull().default(false),
    /** Members who sign in with a password need a second factor. */
    requireSecondFactor: boolean("require_second_factor").notNull().default(false),
    /** The platform's moderators, who Test Launch versions under review in it. There is one at most. */
    moderation: boolean("moderation").notNull().default(false),
    /** What the public page of the organization shows beside its name. Empty texts are not shown. */
    description: text("description").notNull().default(""),
    /** An https URL. */
    website: text("website").notNull().default(""),
    /** An email address. */
    supportAddress: text("support_address").notNull().default(""),
    /** Members who are no owners ask an owner before each launch. */
    membersAsk: boolean("members_ask").notNull().default(false),
    /** Only apps of `allowed_apps` are launched. */
    onlyAllowedApps: boolean("only_allowed_apps").notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("one_moderation")
      .on(table.moderation)
      .where(sql`moderation`),
  ],
);

export const domainStateEnum = pgEnum("domain_state", DOMAIN_STATES);
export const domainProofEnum = pgEnum("domain_proof", DOMAIN_PROOFS);

/** Domains that organizations prove to own. The states are in `lib/domain/accounts/domain.ts`. */
export const organizationDomains = pgTable(
  "organization_domains",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    /** In ASCII, lower case. */
    domain: text("domain").notNull(),
    /** What the proof says: random, and no secret. */
    token: text("token").notNull(),
    state: domainStateEnum("state").notNull().default("WAITING"),
    /** How the last check that found the proof found it. */
    provenBy: domainProofEnum("proven_by"),
    /** Why the last check found none. */
    problem: text("problem").notNull().default(""),
    checkedAt: moment("checked_at"),
    failingSince: moment("failing_since"),
    /** When a worker checks it; null: only when somebody asks. */
    nextCheckAt: moment("next_check_at"),
    createdAt: createdAt(),
    ...lease(),
  },
  (table) => [
    unique().on(table.organizationId, table.domain),
    uniqueIndex("one_organization_a_domain")
      .on(table.domain)
      .where(sql`state in ('VERIFIED', 'FAILING')`),
    index("domains_to_check")
      .on(table.nextCheckAt)
      .where(sql`next_check_at is not null`),
  ],
);

export const users = pgTable("users", {
  id: id(),
  /** Lower case. */
  email: text("email").notNull().unique(),
  /**
   * When the user proved to read mail at this address, or an operator vouched for it. Null for an address that was only
   * typed.
   */
  emailConfirmedAt: moment("email_confirmed_at"),
  name: text("name").notNull(),
  /** argon2id, in PHC form. */
  passwordHash: text("password_hash").notNull(),
  moderator: boolean("moderator").notNull().default(false),
  /** The time zone that the user chose, such as `Europe/Zurich`. Null: each browser shows its own, and emails say UTC. */
  zone: text("zone"),
  createdAt: createdAt(),
});

export const memberships = pgTable(
  "memberships",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    role: roleEnum("role").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.userId] }), index().on(table.userId)],
);

export const signInMethodEnum = pgEnum("sign_in_method", ["PASSWORD", "OIDC"]);

export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** The organization that the user currently works in. */
    organizationId: uuid("organization_id").references(() => organizations.id),
    signedInBy: signInMethodEnum("signed_in_by").notNull().default("PASSWORD"),
    /** As the browser describes itself, cut to 300 characters. */
    userAgent: text("user_agent").notNull().default(""),
    /** The address from which the user signed in. Of IPv6, its network. */
    network: text("network").notNull().default(""),
    /** At most a minute late. */
    lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
    revokedAt: moment("revoked_at"),
  },
  (table) => [index().on(table.userId)],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    name: text("name").notNull(),
    clientId: text("client_id").notNull().unique(),
    /** SHA-256 of a 256-bit random key, hex. */
    keyHash: text("key_hash").notNull(),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    /** What the key may do. Keys from before there were scopes may do everything. */
    scopes: text("scopes")
      .array()
      .$type<ApiKeyScope[]>()
      .notNull()
      .default([...FIRST_SCOPES]),
    createdAt: createdAt(),
    /** Null for a key that works until it is revoked. */
    expiresAt: moment("expires_at"),
    /** When its organization was notified that it expires soon. */
    expiryToldAt: moment("expiry_told_at"),
    /** At most a minute late. */
    lastUsedAt: moment("last_used_at"),
    /** Where it was last used from: an address, or the network of an IPv6 address. */
    lastUsedFrom: text("last_used_from").notNull().default(""),
    revokedAt: moment("revoked_at"),
  },
  (table) => [
    index().on(table.organizationId),
    index()
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null and ${table.expiryToldAt} is null`),
  ],
);

/** Links that make a person a member. A link works once: until it is accepted or revoked, or expires. */
export const invitations = pgTable(
  "invitations",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    role: roleEnum("role").notNull(),
    /** Lower case. Only the account with this address can accept it; null if every account can. */
    email: text("email"),
    /** SHA-256 of the 256-bit random token in the link, hex. */
    tokenHash: text("token_hash").notNull().unique(),
    invitedBy: uuid("invited_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
    acceptedAt: moment("accepted_at"),
    acceptedBy: uuid("accepted_by").references(() => users.id),
    revokedAt: moment("revoked_at"),
  },
  (table) => [
    index().on(table.organizationId),
    // One pending invitation for each address: inviting it again replaces the link.
    uniqueIndex("one_pending_invitation")
      .on(table.organizationId, table.email)
      .where(sql`${table.acceptedAt} is null and ${table.revokedAt} is null`),
  ],
);

/**
 * Tries that were counted. rate-limiter-flexible reads and writes it, in this order of columns. The keys are hashes, so
 * that it contains neither addresses nor e-mail addresses.
 */
export const rateLimits = pgTable("rate_limits", {
  key: varchar("key", { length: 255 }).primaryKey(),
  points: integer("points").notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint("expire", { mode: "number" }),
});

/** The TOTP secret of a user. It counts once it is confirmed with a code. */
export const secondFactors = pgTable("second_factors", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  /** The secret, sealed by the master key that `masterKeyId` names. */
  wrapped: text("wrapped").notNull(),
  masterKeyId: text("master_key_id").notNull(),
  confirmedAt: moment("confirmed_at"),
  /** The time step of the last code that was accepted. Codes of this step and earlier ones are not accepted again. */
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
  createdAt: createdAt(),
});

/** A row is deleted when its code is used. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** SHA-256 of an 80-bit random code, hex. */
    hash: text("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

export const LINK_KINDS = ["SIGN_UP", "EMAIL_CHANGE", "NEW_PASSWORD"] as const;
export const linkKindEnum = pgEnum("link_kind", LINK_KINDS);

/** Links that were sent by e-mail, or printed for an operator. A row is deleted when its link is used. */
export const accountLinks = pgTable(
  "account_links",
  {
    id: id(),
    kind: linkKindEnum("kind").notNull(),
    /** SHA-256 of the 256-bit random token in the link, hex. */
    hash: text("hash").notNull().unique(),
    /** Null for a sign-up: its content names the address. */
    userId: uuid("user_id").references(() => users.id),
    /** What happens when the link is used. */
    content: jsonb("content").$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

/**
 * Requests to sign up with an address that is not confirmed yet, from anyone: a link proves who owns the address, and
 * the password shows which request is the owner's.
 */
export const pendingSignUps = pgTable(
  "pending_sign_ups",
  {
    id: id(),
    email: text("email").notNull(),
    /** SHA-256 of the network that asked, base64url. */
    requester: text("requester").notNull(),
    /** The future account, with the hash of its password. */
    content: jsonb("content").$type<Record<string, string>>().notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index().on(table.email), index().on(table.expiresAt)],
);

/** Accounts of an OpenID Connect issuer that sign in as a user. */
export const linkedIdentities = pgTable(
  "linked_identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** As the issuer named it when it was linked. */
    email: text("email").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), index().on(table.userId)],
);

export const dataKeys = pgTable("data_keys", {
  organizationId: uuid("organization_id")
    .primaryKey()
    .references(() => organizations.id),
  /** A 256-bit key, sealed by the master key that `masterKeyId` names. */
  wrapped: text("wrapped").notNull(),
  masterKeyId: text("master_key_id").notNull(),
  createdAt: createdAt(),
});
