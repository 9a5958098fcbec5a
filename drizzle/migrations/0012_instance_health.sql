ALTER TABLE "attempts" ADD COLUMN "fault" text;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "instances_version_id_index" ON "instances" USING btree ("version_id");--> statement-breakpoint
ALTER TABLE "instances" DROP COLUMN "restarts";