CREATE TABLE "attempt_state_reads" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"first_read_at" timestamp with time zone NOT NULL,
	"last_read_at" timestamp with time zone NOT NULL,
	"revision" integer
);
--> statement-breakpoint
INSERT INTO "attempt_state_reads" SELECT "id", "state_reads", coalesce("state_read_at", "started_at"), coalesce("state_read_at", "started_at"), "state_revision" FROM "attempts" WHERE "state_reads" > 0;--> statement-breakpoint
ALTER TABLE "attempts" DROP COLUMN "state_reads";--> statement-breakpoint
ALTER TABLE "attempts" DROP COLUMN "state_read_at";--> statement-breakpoint
ALTER TABLE "attempts" DROP COLUMN "state_revision";