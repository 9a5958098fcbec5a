CREATE TABLE "review_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"parent_id" uuid,
	"author_id" uuid NOT NULL,
	"moderator" boolean NOT NULL,
	"body" text NOT NULL,
	"anchor" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"resolved_by" uuid
);
--> statement-breakpoint
CREATE TABLE "suspensions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"listing_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"suspended_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stops_installations" boolean NOT NULL,
	"stopped" uuid[] DEFAULT '{}' NOT NULL,
	"reinstated_by" uuid,
	"reinstated_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "submission_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "due_at" timestamp with time zone DEFAULT now() + interval '3 days' NOT NULL;--> statement-breakpoint
-- As lib/domain/review-queue.ts counts: three working days, in UTC.
UPDATE "reviews" SET "due_at" = "created_at" + interval '3 days' + CASE extract(isodow FROM "created_at" AT TIME ZONE 'UTC')
  WHEN 3 THEN interval '2 days' WHEN 4 THEN interval '2 days' WHEN 5 THEN interval '2 days' WHEN 6 THEN interval '1 day'
  ELSE interval '0 days' END;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "moderation" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_parent_id_review_comments_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."review_comments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_suspended_by_users_id_fk" FOREIGN KEY ("suspended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_reinstated_by_users_id_fk" FOREIGN KEY ("reinstated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "review_comments_review_id_index" ON "review_comments" USING btree ("review_id");--> statement-breakpoint
CREATE INDEX "suspensions_listing_id_index" ON "suspensions" USING btree ("listing_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_suspension_at_a_time" ON "suspensions" USING btree ("listing_id") WHERE reinstated_at is null;--> statement-breakpoint
CREATE INDEX "reviews_by_due_date" ON "reviews" USING btree ("state","due_at","id");--> statement-breakpoint
CREATE INDEX "reviews_of_a_listing" ON "reviews" USING btree ("listing_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_moderation" ON "organizations" USING btree ("moderation") WHERE moderation;--> statement-breakpoint
CREATE FUNCTION "keep_ended_review"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'review % has ended and never changes again', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END $$;--> statement-breakpoint
-- A decision is final whatever code runs: only pending reviews change.
CREATE TRIGGER "ended_reviews_never_change" BEFORE UPDATE ON "reviews"
  FOR EACH ROW WHEN (OLD."state" <> 'PENDING') EXECUTE FUNCTION "keep_ended_review"();
