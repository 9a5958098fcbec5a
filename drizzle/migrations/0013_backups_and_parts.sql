CREATE TABLE "backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	"bytes" bigint NOT NULL,
	"lost_blobs" integer NOT NULL,
	"checked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "part_beats" ADD COLUMN "started_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "part_beats" ADD COLUMN "host" text;--> statement-breakpoint
ALTER TABLE "part_beats" ADD COLUMN "release" text;--> statement-breakpoint
ALTER TABLE "part_beats" ADD COLUMN "ended_at" timestamp with time zone;