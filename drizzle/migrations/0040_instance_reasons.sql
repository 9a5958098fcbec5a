CREATE TYPE "public"."instance_reason_code" AS ENUM('PORT_NOT_BOUND', 'HEALTH_NOT_200', 'HEALTH_TIMED_OUT', 'EXITED', 'OOM_KILLED', 'COMMAND_NOT_STARTED', 'IMAGE_MISSING', 'ENGINE_UNREACHABLE', 'ENGINE_FAILED', 'RUNTIME_NOT_AVAILABLE', 'PLATFORM_FAILED', 'REMOVED', 'WORKER_ENDED', 'NOT_NEEDED', 'MOVED');--> statement-breakpoint
CREATE TYPE "public"."unpark_cause" AS ENUM('START_AGAIN', 'CONFIGURATION', 'READY');--> statement-breakpoint
CREATE TABLE "parkings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version_id" uuid NOT NULL,
	"parked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"crashes" integer NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_cause" "unpark_cause",
	"ended_by" uuid
);
--> statement-breakpoint
ALTER TABLE "installations" ADD COLUMN "reason_code" "instance_reason_code";--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "reason_code" "instance_reason_code";--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "exit_code" integer;--> statement-breakpoint
ALTER TABLE "parkings" ADD CONSTRAINT "parkings_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parkings" ADD CONSTRAINT "parkings_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "parkings_version_id_ended_at_index" ON "parkings" USING btree ("version_id","ended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_parking_a_version" ON "parkings" USING btree ("version_id") WHERE ended_at is null;