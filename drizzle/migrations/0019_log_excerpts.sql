CREATE TYPE "public"."log_excerpt_state" AS ENUM('WAITING', 'READ', 'GONE');--> statement-breakpoint
CREATE TABLE "log_excerpts" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"state" "log_excerpt_state" DEFAULT 'WAITING' NOT NULL,
	"instance_id" uuid,
	"text" text,
	"cut" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "log_excerpts" ADD CONSTRAINT "log_excerpts_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "log_excerpts" ADD CONSTRAINT "log_excerpts_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "waiting_log_excerpts" ON "log_excerpts" USING btree ("created_at") WHERE state = 'WAITING';--> statement-breakpoint
CREATE INDEX "log_excerpts_instance_id_index" ON "log_excerpts" USING btree ("instance_id");