ALTER TABLE "attempts" ADD COLUMN "trace_id" uuid;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "trace_parent" text;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "trace_state" text;