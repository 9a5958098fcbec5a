CREATE TYPE "public"."visit_kind" AS ENUM('view', 'launch');--> statement-breakpoint
CREATE TYPE "public"."uninstall_reason" AS ENUM('not-needed', 'missing-feature', 'unreliable', 'hard-to-use', 'cost', 'trial', 'other');--> statement-breakpoint
CREATE TABLE "listing_visitors" (
	"listing_id" uuid NOT NULL,
	"day" date NOT NULL,
	"kind" "visit_kind" NOT NULL,
	"visitor" text NOT NULL,
	CONSTRAINT "listing_visitors_pk" PRIMARY KEY("listing_id","day","kind","visitor")
);
--> statement-breakpoint
CREATE TABLE "visit_days" (
	"listing_id" uuid NOT NULL,
	"day" date NOT NULL,
	"kind" "visit_kind" NOT NULL,
	"visitors" integer NOT NULL,
	CONSTRAINT "visit_days_pk" PRIMARY KEY("listing_id","day","kind")
);
--> statement-breakpoint
CREATE TABLE "uninstall_answers" (
	"installation_id" uuid PRIMARY KEY NOT NULL,
	"listing_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"reason" "uninstall_reason" NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "listing_visitors" ADD CONSTRAINT "listing_visitors_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_days" ADD CONSTRAINT "visit_days_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uninstall_answers" ADD CONSTRAINT "uninstall_answers_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uninstall_answers" ADD CONSTRAINT "uninstall_answers_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uninstall_answers" ADD CONSTRAINT "uninstall_answers_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listing_visitors_day_index" ON "listing_visitors" USING btree ("day");--> statement-breakpoint
CREATE INDEX "visit_days_day_index" ON "visit_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "uninstall_answers_listing_id_at_index" ON "uninstall_answers" USING btree ("listing_id","at");--> statement-breakpoint
CREATE INDEX "installations_listing_id_index" ON "installations" USING btree ("listing_id");