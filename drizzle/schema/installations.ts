import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  INSTALLATION_STATES,
  UNINSTALL_REASONS,
  UPGRADE_STATES,
} from "../../lib/contract/catalog/installation-states";
import { LAUNCH_REQUEST_STATES } from "../../lib/contract/installations/launch-request";
import { organizations, users } from "./accounts";
import { listings, versions } from "./catalog";
import { createdAt, id, lease, moment } from "./columns";
import { tenants } from "./installations-tenants";
import { evidence } from "./moderation";
import { reasonCodeEnum } from "./runtime";

export const installationStateEnum = pgEnum("installation_state", INSTALLATION_STATES);

export const installations = pgTable(
  "installations",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    tenantId: uuid("tenant_id")
      .notNull()
      .references(() => tenants.id),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    /**
     * Must run as well: during an upgrade the new version until the switch, then the old version until its calls in progress
     * have ended.
     */
    otherVersionId: uuid("other_version_id").references(() => versions.id),
    /** A Test Launch of the publishing organization. */
    test: boolean("test").notNull().default(false),
    /**
     * The automatic checks that this made-up customer belongs to; they run an instance of their own. Null for real
     * customers.
     */
    evidenceId: uuid("evidence_id").references(() => evidence.id),
    state: installationStateEnum("state").notNull().default("LAUNCHING"),
    /** Why it is in `ERROR` and how to fix it. */
    reason: text("reason"),
    /** The code of that reason, if the app could not be started; null if it is in another state or a hook failed. */
    reasonCode: reasonCodeEnum("reason_code"),
    /** When it last became `RUNNING`. */
    runningSince: moment("running_since"),
    /** Set once the install hook has succeeded (or the manifest declares none). */
    installedAt: moment("installed_at"),
    /** The current revision of its configuration. */
    revision: integer("revision").notNull().default(1),
    /** Incremented by each stop, start, and uninstall. State keys of an earlier epoch never work again. */
    keyEpoch: integer("key_epoch").notNull().default(0),
    /** Its endpoints are below `<gateway>/r/<routeBase>`, which hooks receive as `route`. Replacing it ends the old URLs. */
    routeBase: uuid("route_base").notNull().unique().defaultRandom(),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: moment("updated_at").notNull().defaultNow(),
    ...lease(),
  },
  (table) => [
    index().on(table.organizationId),
    index().on(table.listingId),
    index().on(table.versionId),
    index().on(table.otherVersionId),
    index().on(table.tenantId),
    index("installations_of_evidence")
      .on(table.evidenceId)
      .where(sql`evidence_id is not null`),
    uniqueIndex("one_installation_a_tenant")
      .on(table.tenantId, table.listingId, table.test)
      .where(sql`state <> 'UNINSTALLED'`),
  ],
);

export const uninstallReasonEnum = pgEnum("uninstall_reason", UNINSTALL_REASONS);

/** Why customers uninstalled an app, if they said so. The publisher reads it without their names. */
export const uninstallAnswers = pgTable(
  "uninstall_answers",
  {
    installationId: uuid("installation_id")
      .primaryKey()
      .references(() => installations.id, { onDelete: "cascade" }),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    /** The version that it used. */
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    reason: uninstallReasonEnum("reason").notNull(),
    comment: text("comment").notNull().default(""),
    at: moment("at").notNull().defaultNow(),
  },
  (table) => [index().on(table.listingId, table.at)],
);

/**
 * Which terms of a publisher a customer accepted, for which installation. A trigger refuses to change or delete a row: it is what both
 * sides refer to later, whatever the listing says by then.
 */
export const termsAcceptances = pgTable(
  "terms_acceptances",
  {
    id: id(),
    /** Whose member accepted. */
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    /** As the listing named them then. */
    url: text("url").notNull(),
    version: text("version").notNull(),
    acceptedBy: uuid("accepted_by")
      .notNull()
      .references(() => users.id),
    acceptedAt: moment("accepted_at").notNull().defaultNow(),
  },
  (table) => [index("terms_of_an_installation").on(table.installationId, table.id)],
);

/** Optional hosts that an owner refused to an app, for all of the organization's installations of it. */
export const hostRefusals = pgTable(
  "host_refusals",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    /** As manifests name it. It counts as long as the version's manifest has it as optional. */
    host: text("host").notNull(),
    refusedBy: uuid("refused_by")
      .notNull()
      .references(() => users.id),
    refusedAt: moment("refused_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.listingId, table.host] })],
);

export const upgradeStateEnum = pgEnum("upgrade_state", UPGRADE_STATES);

/** An upgrade or rollback of an installation. The old version serves until the new one is healthy. */
export const upgrades = pgTable(
  "upgrades",
  {
    id: id(),
    installationId: uuid("installation_id")
      .notNull()
      .references(() => installations.id),
    fromVersionId: uuid("from_version_id")
      .notNull()
      .references(() => versions.id),
    toVersionId: uuid("to_version_id")
      .notNull()
      .references(() => versions.id),
    /** The revisions that serve before and after the switch. */
    fromRevision: integer("from_revision").notNull(),
    toRevision: integer("to_revision").notNull(),
    /** It returns to the previous version. */
    rollback: boolean("rollback").notNull().default(false),
    /** The customer agreed to open the endpoints that this version makes public. */
    openEndpoints: boolean("open_endpoints").notNull().default(false),
    state: upgradeStateEnum("state").notNull().default("STARTING"),
    /** Why it failed and how to fix it. */
    reason: text("reason"),
    createdBy: uuid("created_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    switchedAt: moment("switched_at"),
    endedAt: moment("ended_at"),
    ...lease(),
  },
  (table) => [
    index().on(table.installationId),
    uniqueIndex("one_upgrade_at_a_time")
      .on(table.installationId)
      .where(sql`state in ('STARTING', 'DRAINING')`),
  ],
);

export const launchRequestStateEnum = pgEnum("launch_request_state", LAUNCH_REQUEST_STATES);

/** A member asks the owners of the organization to let it launch an app. `lib/domain/installations/launch-request.ts` has the states. */
export const launchRequests = pgTable(
  "launch_requests",
  {
    id: id(),
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    tenantId: uuid("tenant_id")
      .notNull()
      .references(() => tenants.id),
    /** The one that was offered at that time. The launch takes the newest. */
    versionId: uuid("version_id")
      .notNull()
      .references(() => versions.id),
    requestedBy: uuid("requested_by")
      .notNull()
      .references(() => users.id),
    /** Why, from the member. */
    note: text("note").notNull().default(""),
    /** The member had the listing's link. */
    withLink: boolean("with_link").notNull().default(false),
    state: launchRequestStateEnum("state").notNull().default("OPEN"),
    createdAt: createdAt(),
    decidedBy: uuid("decided_by").references(() => users.id),
    /** When it left OPEN. */
    endedAt: moment("ended_at"),
    /** From the owner who decided; of an outdated one, why it is outdated. */
    answer: text("answer").notNull().default(""),
    /** Until when an approval can be used. */
    validUntil: moment("valid_until"),
    /** When the approved launch was made. */
    usedAt: moment("used_at"),
  },
  (table) => [
    uniqueIndex("one_open_launch_request")
      .on(table.requestedBy, table.listingId, table.tenantId)
      .where(sql`state = 'OPEN'`),
    index("launch_requests_of_an_organization").on(table.organizationId, table.state, table.id),
    index("approved_launch_requests")
      .on(table.requestedBy, table.listingId)
      .where(sql`state = 'APPROVED' and used_at is null`),
    index("open_launch_requests_of_a_listing")
      .on(table.listingId)
      .where(sql`state = 'OPEN'`),
  ],
);

/** The apps that an organization's members may launch, if it allows only some. */
export const allowedApps = pgTable(
  "allowed_apps",
  {
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id, { onDelete: "cascade" }),
    allowedBy: uuid("allowed_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.listingId] })],
);
