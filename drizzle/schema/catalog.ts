import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  LISTING_STATES,
  LISTING_VISIBILITIES,
  type ListingText,
  NAMED_FOR,
  type PrivacyDeclaration,
  REVIEW_KINDS,
  REVIEW_STATES,
  type Terms,
} from "../../lib/contract/catalog/listing";
import { CATEGORIES, type Connection } from "../../lib/contract/catalog/listing-terms";
import type { Manifest } from "../../lib/contract/catalog/manifest";
import { organizations, users } from "./accounts";
import { bytes, createdAt, exactText, id, jsonb, moment, searchVector } from "./columns";

export const listingStateEnum = pgEnum("listing_state", LISTING_STATES);
export const listingVisibilityEnum = pgEnum("listing_visibility", LISTING_VISIBILITIES);
export const namedForEnum = pgEnum("named_for", NAMED_FOR);
export const reviewStateEnum = pgEnum("review_state", REVIEW_STATES);
export const reviewKindEnum = pgEnum("review_kind", REVIEW_KINDS);
export const listingCategoryEnum = pgEnum("listing_category", CATEGORIES);
export const bundleKindEnum = pgEnum("bundle_kind", ["image", "example-folder"]);

/** Of a text, without accents and in small letters; compound words also as one word. Migration 0004 has the function. */
const words = (column: string) => sql`search_words(${sql.raw(column)})`;
const NAME_WORDS = words("title || ' ' || app_name || ' ' || publisher");
/** Names are also found by words that English leaves out or shortens. */
const NAMES = sql`to_tsvector('simple', ${NAME_WORDS}) || to_tsvector('english', ${NAME_WORDS})`;
const TAGLINE = sql`${NAMES} || to_tsvector('english', ${words("tagline")})`;
const CONNECTIONS = sql`${TAGLINE} || to_tsvector('english', connection_words)`;
const TEXTS = sql`${CONNECTIONS} || to_tsvector('english', ${words("coalesce(about ->> 'product', '') || ' ' || coalesce(about ->> 'offering', '') || ' ' || coalesce(about ->> 'company', '')")})`;

/** What everyone finds, for the indexes of lists and of the search: `isListed` in `lib/server/catalog/access-queries.ts`. */
const LISTED = sql`state = 'PUBLIC' and visibility = 'EVERYONE'`;

export const listings = pgTable(
  "listings",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    /** The `<app-name>` half of the app's name. */
    appName: text("app_name").notNull(),
    title: text("title").notNull(),
    tagline: text("tagline").notNull().default(""),
    category: listingCategoryEnum("category").notNull().default("other"),
    about: jsonb("about").$type<ListingText["about"]>().notNull(),
    requirements: jsonb("requirements").$type<ListingText["requirements"]>().notNull(),
    links: jsonb("links")
      .$type<ListingText["links"]>()
      .notNull()
      .default({ support: "", privacy: "", website: "" }),
    /** What customers accept at a launch: a link and a version. Both empty without terms. */
    terms: jsonb("terms").$type<Terms>().notNull().default({ url: "", version: "" }),
    /** Null if the publisher has not declared anything. */
    privacy: jsonb("privacy").$type<PrivacyDeclaration>(),
    /** The digest of a picture of the same organization, like those of `screenshots`. */
    icon: text("icon"),
    screenshots: jsonb("screenshots").$type<ListingText["screenshots"]>().notNull().default([]),
    state: listingStateEnum("state").notNull().default("DRAFT"),
    /** Who sees it while it is public. `lib/domain/catalog/access.ts` has the rule. */
    visibility: listingVisibilityEnum("visibility").notNull().default("EVERYONE"),
    /** The token of its link, sealed for its organization; null until it is shown by link for the first time. */
    linkSealed: text("link_sealed"),
    /** SHA-256 of that token, hex: what a page compares, in the same time whether there is such a listing or not. */
    linkHash: text("link_hash"),
    createdAt: createdAt(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
    /** How many instances of each version run at the same time. */
    replicas: integer("replicas").notNull().default(1),
    /** How many of a busy version run at most; null if the platform adds none. */
    mostReplicas: integer("most_replicas"),
    /** Instances from before this moment are replaced one after the other. */
    restartRequestedAt: moment("restart_requested_at"),
    /** When it first became public; triggers set it and the next three columns. */
    publicSince: moment("public_since"),
    /** The slug and name of its organization. */
    publisher: text("publisher").notNull().default(""),
    /** What its newest verified version connects to. */
    connections: text("connections").array().$type<Connection[]>().notNull().default([]),
    /**
     * The events, operations, raters and endpoints of that version, including the words within a name such as
     * `newBusiness`.
     */
    connectionWords: text("connection_words").notNull().default(""),
    /**
     * How many other organizations use it, as a worker counted lately (`lib/server/insight/health/listing-figures.ts`); 0 if fewer than pages
     * tell.
     */
    usedBy: integer("used_by").notNull().default(0),
    // Each includes the one before: a listing is ranked by the first that has all words of a search.
    searchNames: searchVector("search_names").generatedAlwaysAs(NAMES),
    searchTagline: searchVector("search_tagline").generatedAlwaysAs(TAGLINE),
    searchConnections: searchVector("search_connections").generatedAlwaysAs(CONNECTIONS),
    searchTexts: searchVector("search").generatedAlwaysAs(TEXTS),
  },
  (table) => [
    unique().on(table.organizationId, table.appName),
    index("listings_by_title").on(table.state, table.title, table.id),
    index("listings_newest").on(table.publicSince, table.id).where(LISTED),
    index("listings_newest_of_a_category").on(table.category, table.publicSince, table.id).where(LISTED),
    index("listings_most_used").on(table.usedBy, table.publicSince, table.id).where(LISTED),
    index("listings_most_used_of_a_category")
      .on(table.category, table.usedBy, table.publicSince, table.id)
      .where(LISTED),
    index("listings_by_id").on(table.id).where(LISTED),
    // With the filters, so that a common word of a rare filter is as cheap as a rare word.
    ...(
      [
        ["listings_search_names", table.searchNames],
        ["listings_search_tagline", table.searchTagline],
        ["listings_search_connections", table.searchConnections],
        ["listings_search_texts", table.searchTexts],
      ] as const
    ).map(([name, vector]) =>
      index(name).using("gin", vector, table.category, table.connections).where(LISTED),
    ),
  ],
);

/** The organizations that a publisher names for a listing: those that see it, and those that try versions before their review. */
export const namedOrganizations = pgTable(
  "named_organizations",
  {
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id, { onDelete: "cascade" }),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    namedFor: namedForEnum("named_for").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.listingId, table.namedFor, table.organizationId] }),
    index("listings_that_name_an_organization").on(table.organizationId, table.namedFor),
  ],
);

/** The words of names, taglines and connections that are or were public: what a beginning or a typo may stand for. */
export const searchTerms = pgTable("search_terms", { word: text("word").primaryKey() }, (table) => [
  // Similar words are about as long: among 100,000, a typo's letters alone are in ten thousand.
  index("search_terms_similar").using("gin", table.word.op("gin_trgm_ops"), sql`char_length(${table.word})`),
  index("search_terms_begin").on(table.word.op("text_pattern_ops")),
]);

/** Immutable except `verifiedAt`, which a review sets once, `releaseNotes`, and whether it sleeps. */
export const versions = pgTable(
  "versions",
  {
    id: id(),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    number: text("number").notNull(),
    manifest: jsonb("manifest").$type<Manifest>().notNull(),
    manifestText: text("manifest_text").notNull(),
    /** The manifest at the root of the image. A release without a new image has another `manifestText`. */
    imageManifestText: text("image_manifest_text").notNull(),
    bundleKind: bundleKindEnum("bundle_kind").notNull().default("image"),
    /** Digest of the image's configuration, `sha256:…`: the engine's image id. */
    imageDigest: text("image_digest").notNull(),
    /** `sha256:…` of the stored image's manifest; of versions from before blobs were stored, of their archive. */
    archiveDigest: text("archive_digest").notNull(),
    archiveBytes: bigint("archive_bytes", { mode: "number" }).notNull(),
    /** Set while it sleeps: nothing called it for a while, so it was stopped, and the next call starts it. */
    asleepSince: moment("asleep_since"),
    /** When a call woke it; it sleeps until one of its instances is ready. */
    wokenAt: moment("woken_at"),
    publishedBy: text("published_by").notNull(),
    createdAt: createdAt(),
    verifiedAt: moment("verified_at"),
    /** Markdown. */
    releaseNotes: text("release_notes").notNull().default(""),
  },
  (table) => [
    unique().on(table.listingId, table.number),
    // A listing has thousands in a year: its newest ones, and its highest numbers, are found without the others.
    index("versions_of_a_listing").on(table.listingId, table.id),
    index("versions_by_number").on(table.listingId, sql`(string_to_array(number, '.')::numeric[])`),
    index().on(table.archiveDigest),
    index("sleeping_versions")
      .on(table.id)
      .where(sql`asleep_since is not null`),
  ],
);

/** The editor's draft of a listing's manifest. */
export const manifestDrafts = pgTable("manifest_drafts", {
  listingId: uuid("listing_id")
    .primaryKey()
    .references(() => listings.id),
  /** The manifest as typed, valid or not. */
  text: exactText("text").notNull(),
  revision: integer("revision").notNull().default(1),
  /** The published version that it was last compared with. */
  baseVersionId: uuid("base_version_id").references(() => versions.id),
  /** As in the audit trail: `user:<id>` or `api-key:<id>`. */
  updatedBy: text("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

/** What the publisher typed into the listing editor. A listing without one is edited from its own text. */
export const listingDrafts = pgTable("listing_drafts", {
  listingId: uuid("listing_id")
    .primaryKey()
    .references(() => listings.id),
  /** As typed, valid or not. */
  text: jsonb("text").$type<ListingText>().notNull(),
  revision: integer("revision").notNull().default(1),
  /** As in the audit trail: `user:<id>`. */
  updatedBy: text("updated_by").notNull(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

export const reviews = pgTable(
  "reviews",
  {
    id: id(),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    kind: reviewKindEnum("kind").notNull().default("VERSION"),
    /** Only of reviews of the kind VERSION. */
    versionId: uuid("version_id").references(() => versions.id),
    /** The listing's text at submission: what the moderator judges. */
    text: jsonb("text").$type<ListingText>().notNull(),
    state: reviewStateEnum("state").notNull().default("PENDING"),
    /** From the publisher, for the moderator. */
    submissionNote: text("submission_note").notNull().default(""),
    /** The due date that the publisher saw at submission (`lib/domain/moderation/review.ts`). */
    dueAt: moment("due_at")
      .notNull()
      .default(sql`now() + interval '3 days'`),
    /** From the moderator who decided, for the publisher. */
    note: text("note").notNull().default(""),
    submittedBy: uuid("submitted_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    decidedBy: uuid("decided_by").references(() => users.id),
    decidedAt: moment("decided_at"),
    /** The moderator who works on it. */
    claimedBy: uuid("claimed_by").references(() => users.id),
    claimedAt: moment("claimed_at"),
  },
  (table) => [
    check("version_of_its_kind", sql`(kind = 'VERSION') = (version_id is not null)`),
    uniqueIndex("one_pending_review_of_a_kind")
      .on(table.listingId, table.kind)
      .where(sql`state = 'PENDING'`),
    index().on(table.state, table.createdAt),
    index("reviews_by_due_date").on(table.state, table.dueAt, table.id),
    index("history_of_a_listing").on(table.listingId, table.id),
    index("decisions_about_a_listing").on(table.listingId, table.state, table.decidedAt, table.id),
    index("reviews_of_a_version").on(table.versionId),
    index("decided_reviews")
      .on(table.kind, table.decidedAt)
      .where(sql`decided_by is not null`),
  ],
);

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
