ALTER TABLE "manifest_drafts" DROP CONSTRAINT "manifest_drafts_updated_by_users_id_fk";
--> statement-breakpoint
ALTER TABLE "manifest_drafts" ALTER COLUMN "updated_by" SET DATA TYPE text;--> statement-breakpoint
ALTER TABLE "manifest_drafts" ADD COLUMN "base_version_id" uuid;--> statement-breakpoint
ALTER TABLE "manifest_drafts" ADD CONSTRAINT "manifest_drafts_base_version_id_versions_id_fk" FOREIGN KEY ("base_version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;