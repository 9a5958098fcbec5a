ALTER TYPE "public"."instance_reason_code" ADD VALUE 'ASLEEP';--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "asleep_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "woken_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "sleeping_versions" ON "versions" USING btree ("id") WHERE asleep_since is not null;