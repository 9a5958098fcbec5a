CREATE TYPE "public"."listing_visibility" AS ENUM('EVERYONE', 'LINK', 'NAMED');--> statement-breakpoint
CREATE TYPE "public"."named_for" AS ENUM('VIEW', 'PILOT');--> statement-breakpoint
CREATE TYPE "public"."launch_request_state" AS ENUM('OPEN', 'APPROVED', 'DECLINED', 'WITHDRAWN', 'OUTDATED');--> statement-breakpoint
CREATE TABLE "named_organizations" (
	"listing_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"named_for" "named_for" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "named_organizations_listing_id_named_for_organization_id_pk" PRIMARY KEY("listing_id","named_for","organization_id")
);
--> statement-breakpoint
CREATE TABLE "allowed_apps" (
	"organization_id" uuid NOT NULL,
	"listing_id" uuid NOT NULL,
	"allowed_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "allowed_apps_organization_id_listing_id_pk" PRIMARY KEY("organization_id","listing_id")
);
--> statement-breakpoint
CREATE TABLE "launch_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"listing_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"requested_by" uuid NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"with_link" boolean DEFAULT false NOT NULL,
	"state" "launch_request_state" DEFAULT 'OPEN' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_by" uuid,
	"ended_at" timestamp with time zone,
	"answer" text DEFAULT '' NOT NULL,
	"valid_until" timestamp with time zone,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
DROP INDEX "listings_newest";--> statement-breakpoint
DROP INDEX "listings_newest_of_a_category";--> statement-breakpoint
DROP INDEX "listings_most_used";--> statement-breakpoint
DROP INDEX "listings_most_used_of_a_category";--> statement-breakpoint
DROP INDEX "listings_by_id";--> statement-breakpoint
DROP INDEX "listings_search_names";--> statement-breakpoint
DROP INDEX "listings_search_tagline";--> statement-breakpoint
DROP INDEX "listings_search_connections";--> statement-breakpoint
DROP INDEX "listings_search_texts";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "members_ask" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "only_allowed_apps" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "visibility" "listing_visibility" DEFAULT 'EVERYONE' NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "link_sealed" text;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "link_hash" text;--> statement-breakpoint
ALTER TABLE "named_organizations" ADD CONSTRAINT "named_organizations_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "named_organizations" ADD CONSTRAINT "named_organizations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowed_apps" ADD CONSTRAINT "allowed_apps_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowed_apps" ADD CONSTRAINT "allowed_apps_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowed_apps" ADD CONSTRAINT "allowed_apps_allowed_by_users_id_fk" FOREIGN KEY ("allowed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launch_requests" ADD CONSTRAINT "launch_requests_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launch_requests" ADD CONSTRAINT "launch_requests_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launch_requests" ADD CONSTRAINT "launch_requests_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launch_requests" ADD CONSTRAINT "launch_requests_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launch_requests" ADD CONSTRAINT "launch_requests_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launch_requests" ADD CONSTRAINT "launch_requests_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listings_that_name_an_organization" ON "named_organizations" USING btree ("organization_id","named_for");--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_launch_request" ON "launch_requests" USING btree ("requested_by","listing_id","tenant_id") WHERE state = 'OPEN';--> statement-breakpoint
CREATE INDEX "launch_requests_of_an_organization" ON "launch_requests" USING btree ("organization_id","state","id");--> statement-breakpoint
CREATE INDEX "approved_launch_requests" ON "launch_requests" USING btree ("requested_by","listing_id") WHERE state = 'APPROVED' and used_at is null;--> statement-breakpoint
CREATE INDEX "open_launch_requests_of_a_listing" ON "launch_requests" USING btree ("listing_id") WHERE state = 'OPEN';--> statement-breakpoint
CREATE INDEX "listings_newest" ON "listings" USING btree ("public_since","id") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';--> statement-breakpoint
CREATE INDEX "listings_newest_of_a_category" ON "listings" USING btree ("category","public_since","id") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';--> statement-breakpoint
CREATE INDEX "listings_most_used" ON "listings" USING btree ("used_by","public_since","id") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';--> statement-breakpoint
CREATE INDEX "listings_most_used_of_a_category" ON "listings" USING btree ("category","used_by","public_since","id") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';--> statement-breakpoint
CREATE INDEX "listings_by_id" ON "listings" USING btree ("id") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';--> statement-breakpoint
CREATE INDEX "listings_search_names" ON "listings" USING gin ("search_names","category","connections") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';--> statement-breakpoint
CREATE INDEX "listings_search_tagline" ON "listings" USING gin ("search_tagline","category","connections") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';--> statement-breakpoint
CREATE INDEX "listings_search_connections" ON "listings" USING gin ("search_connections","category","connections") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';--> statement-breakpoint
CREATE INDEX "listings_search_texts" ON "listings" USING gin ("search","category","connections") WHERE state = 'PUBLIC' and visibility = 'EVERYONE';