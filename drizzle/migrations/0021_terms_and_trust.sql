CREATE TYPE "public"."domain_proof" AS ENUM('dns', 'file');--> statement-breakpoint
CREATE TYPE "public"."domain_state" AS ENUM('WAITING', 'VERIFIED', 'FAILING', 'LOST');--> statement-breakpoint
CREATE TABLE "organization_domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"token" text NOT NULL,
	"state" "domain_state" DEFAULT 'WAITING' NOT NULL,
	"proven_by" "domain_proof",
	"problem" text DEFAULT '' NOT NULL,
	"checked_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer,
	CONSTRAINT "organization_domains_organization_id_domain_unique" UNIQUE("organization_id","domain")
);
--> statement-breakpoint
CREATE TABLE "terms_acceptances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"listing_id" uuid NOT NULL,
	"installation_id" uuid NOT NULL,
	"url" text NOT NULL,
	"version" text NOT NULL,
	"accepted_by" uuid NOT NULL,
	"accepted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "terms" jsonb DEFAULT '{"url":"","version":""}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "privacy" jsonb;--> statement-breakpoint
ALTER TABLE "organization_domains" ADD CONSTRAINT "organization_domains_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_accepted_by_users_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "one_organization_a_domain" ON "organization_domains" USING btree ("domain") WHERE state in ('VERIFIED', 'FAILING');--> statement-breakpoint
CREATE INDEX "domains_to_check" ON "organization_domains" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "terms_of_an_installation" ON "terms_acceptances" USING btree ("installation_id","id");--> statement-breakpoint
CREATE FUNCTION "keep_acceptance"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'acceptance % of terms never changes', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END $$;--> statement-breakpoint
-- Both sides refer to it later, whatever code runs until then.
CREATE TRIGGER "acceptances_never_change" BEFORE UPDATE OR DELETE ON "terms_acceptances"
  FOR EACH ROW EXECUTE FUNCTION "keep_acceptance"();
