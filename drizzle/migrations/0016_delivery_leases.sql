CREATE TYPE "public"."breaker_state" AS ENUM('CLOSED', 'OPEN', 'HALF_OPEN');--> statement-breakpoint
ALTER TYPE "public"."delivery_hold" ADD VALUE 'BREAKER_OPEN';--> statement-breakpoint
CREATE TABLE "breakers" (
	"installation_id" uuid PRIMARY KEY NOT NULL,
	"state" "breaker_state" DEFAULT 'CLOSED' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"openings" integer DEFAULT 0 NOT NULL,
	"opened_at" timestamp with time zone,
	"probe_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"reason" text
);
--> statement-breakpoint
DROP INDEX "deliveries_state_next_attempt_at_index";--> statement-breakpoint
DROP INDEX "deliveries_installation_id_index";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "interruptions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "leased_by" uuid;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "installations" ADD COLUMN "leased_by" uuid;--> statement-breakpoint
ALTER TABLE "upgrades" ADD COLUMN "leased_by" uuid;--> statement-breakpoint
ALTER TABLE "breakers" ADD CONSTRAINT "breakers_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dead_deliveries" ON "deliveries" USING btree ("installation_id","settled_at") WHERE state = 'DEAD';--> statement-breakpoint
ALTER TABLE "deliveries" SET (fillfactor = 80);--> statement-breakpoint
UPDATE "deliveries" SET "reason" = (SELECT "failure" FROM "attempts" WHERE "delivery_id" = "deliveries"."id" AND "failure" IS NOT NULL ORDER BY "id" DESC LIMIT 1) WHERE "state" IN ('PENDING', 'DEAD') AND "attempt_count" > 0;
