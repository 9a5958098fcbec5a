CREATE TABLE "upload_pieces" (
	"digest" text PRIMARY KEY NOT NULL,
	"upload_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"accepted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "blob_uploads" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "blob_uploads" ADD COLUMN "received" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "upload_pieces_upload_id_position_index" ON "upload_pieces" USING btree ("upload_id","position");--> statement-breakpoint
CREATE INDEX "upload_pieces_created_at_index" ON "upload_pieces" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "blob_uploads_id_index" ON "blob_uploads" USING btree ("id");