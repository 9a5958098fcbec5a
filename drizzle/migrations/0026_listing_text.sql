CREATE TYPE "public"."listing_category" AS ENUM('underwriting', 'rating', 'data', 'claims', 'billing', 'documents', 'communication', 'compliance', 'analytics', 'integration', 'other');--> statement-breakpoint
CREATE TYPE "public"."review_kind" AS ENUM('VERSION', 'TEXT');--> statement-breakpoint
CREATE TABLE "images" (
	"organization_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "images_organization_id_digest_pk" PRIMARY KEY("organization_id","digest")
);
--> statement-breakpoint
CREATE TABLE "listing_drafts" (
	"listing_id" uuid PRIMARY KEY NOT NULL,
	"text" jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "one_pending_review_a_listing";--> statement-breakpoint
ALTER TABLE "reviews" ALTER COLUMN "version_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "tagline" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "category" "listing_category" DEFAULT 'other' NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "links" jsonb DEFAULT '{"support":"","privacy":"","website":""}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "icon" text;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "screenshots" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "kind" "review_kind" DEFAULT 'VERSION' NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "text" jsonb;--> statement-breakpoint
-- Earlier reviews kept no copy of the text. What the listing says now is the nearest to what was judged.
UPDATE "reviews" SET "text" = jsonb_build_object(
  'title', l."title", 'tagline', l."tagline", 'category', l."category", 'about', l."about", 'requirements', l."requirements",
  'links', l."links", 'icon', l."icon", 'screenshots', l."screenshots")
FROM "listings" l WHERE l."id" = "reviews"."listing_id";--> statement-breakpoint
ALTER TABLE "reviews" ALTER COLUMN "text" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "claimed_by" uuid;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "claimed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "release_notes" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_drafts" ADD CONSTRAINT "listing_drafts_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "images_digest_index" ON "images" USING btree ("digest");--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_claimed_by_users_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "one_pending_review_of_a_kind" ON "reviews" USING btree ("listing_id","kind") WHERE state = 'PENDING';--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "version_of_its_kind" CHECK ((kind = 'VERSION') = (version_id is not null));