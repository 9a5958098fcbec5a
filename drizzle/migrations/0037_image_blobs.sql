CREATE TYPE "public"."blob_kind" AS ENUM('blob', 'manifest');--> statement-breakpoint
CREATE TABLE "image_blobs" (
	"archive_digest" text NOT NULL,
	"digest" text NOT NULL,
	CONSTRAINT "image_blobs_archive_digest_digest_pk" PRIMARY KEY("archive_digest","digest")
);
--> statement-breakpoint
CREATE TABLE "organization_blobs" (
	"organization_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organization_blobs_organization_id_digest_pk" PRIMARY KEY("organization_id","digest")
);
--> statement-breakpoint
CREATE TABLE "stored_blobs" (
	"digest" text PRIMARY KEY NOT NULL,
	"kind" "blob_kind" NOT NULL,
	"bytes" bigint NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"touched_by" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "image_blobs" ADD CONSTRAINT "image_blobs_digest_stored_blobs_digest_fk" FOREIGN KEY ("digest") REFERENCES "public"."stored_blobs"("digest") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_blobs" ADD CONSTRAINT "organization_blobs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_blobs" ADD CONSTRAINT "organization_blobs_digest_stored_blobs_digest_fk" FOREIGN KEY ("digest") REFERENCES "public"."stored_blobs"("digest") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "image_blobs_digest_index" ON "image_blobs" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "organization_blobs_digest_index" ON "organization_blobs" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "organization_blobs_touched_at_index" ON "organization_blobs" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "stored_blobs_touched_at_index" ON "stored_blobs" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "versions_archive_digest_index" ON "versions" USING btree ("archive_digest");