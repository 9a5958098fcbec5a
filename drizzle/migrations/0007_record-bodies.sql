ALTER TABLE "attempts" ADD COLUMN "test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "recorded" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "payload_bytes" integer;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "answer_bytes" integer;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "record_bodies" boolean DEFAULT false NOT NULL;