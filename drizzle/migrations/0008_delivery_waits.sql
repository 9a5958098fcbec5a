CREATE TYPE "public"."delivery_hold" AS ENUM('NOT_RUNNING', 'NOT_READY');--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "held_by" "delivery_hold";--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "installations" ADD COLUMN "running_since" timestamp with time zone;