CREATE TABLE "blob_uploads" (
	"organization_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"bytes" bigint NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blob_uploads_organization_id_digest_pk" PRIMARY KEY("organization_id","digest")
);
--> statement-breakpoint
ALTER TABLE "blob_uploads" ADD CONSTRAINT "blob_uploads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "blob_uploads_touched_at_index" ON "blob_uploads" USING btree ("touched_at");