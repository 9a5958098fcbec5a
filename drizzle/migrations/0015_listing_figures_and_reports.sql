CREATE TABLE "listing_days" (
	"listing_id" uuid NOT NULL,
	"day" timestamp with time zone NOT NULL,
	"latencies" smallint[] DEFAULT '{}' NOT NULL,
	"calls" integer[] DEFAULT '{}' NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"wanted_ms" bigint DEFAULT 0 NOT NULL,
	"healthy_ms" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "listing_days_pk" PRIMARY KEY("listing_id","day")
);
--> statement-breakpoint
CREATE TABLE "listing_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"listing_id" uuid NOT NULL,
	"text" text NOT NULL,
	"reported_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_by" uuid
);
--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "used_by" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "listing_days" ADD CONSTRAINT "listing_days_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_reports" ADD CONSTRAINT "listing_reports_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_reports" ADD CONSTRAINT "listing_reports_reported_by_users_id_fk" FOREIGN KEY ("reported_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_reports" ADD CONSTRAINT "listing_reports_closed_by_users_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listing_days_day_index" ON "listing_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "reports_of_a_listing" ON "listing_reports" USING btree ("listing_id","id");--> statement-breakpoint
CREATE INDEX "open_reports" ON "listing_reports" USING btree ("id") WHERE closed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_report_a_person" ON "listing_reports" USING btree ("listing_id","reported_by") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "listings_most_used" ON "listings" USING btree ("used_by","public_since","id") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_most_used_of_a_category" ON "listings" USING btree ("category","used_by","public_since","id") WHERE state = 'PUBLIC';