ALTER TYPE "public"."instance_reason_code" ADD VALUE 'STATE_API_MOVED';--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "state_apis" text[];--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "state_api" text;