CREATE TABLE "type_breakers" (
	"installation_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"state" "breaker_state" DEFAULT 'CLOSED' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"openings" integer DEFAULT 0 NOT NULL,
	"opened_at" timestamp with time zone,
	"probe_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"reason" text,
	"failed_at" timestamp with time zone,
	CONSTRAINT "type_breakers_installation_id_event_type_pk" PRIMARY KEY("installation_id","event_type")
);
--> statement-breakpoint
DROP INDEX "pending_deliveries";--> statement-breakpoint
ALTER TABLE "breakers" ADD COLUMN "failed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "event_type" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "type_breakers" ADD CONSTRAINT "type_breakers_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_deliveries" ON "deliveries" USING btree ("installation_id",(event_type collate "C"),(attempt_count > 0),"next_attempt_at") WHERE state = 'PENDING';