CREATE TABLE "usage_hours" (
	"version_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"samples" integer NOT NULL,
	"used_ns" bigint NOT NULL,
	"elapsed_ms" bigint NOT NULL,
	"peak_cores" double precision,
	"memory_bytes" bigint NOT NULL,
	"peak_memory_bytes" bigint NOT NULL,
	"cpu_limit_millis" integer,
	"memory_limit_bytes" bigint,
	CONSTRAINT "usage_hours_pk" PRIMARY KEY("version_id","hour")
);
--> statement-breakpoint
CREATE TABLE "usage_samples" (
	"version_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"instance_id" uuid NOT NULL,
	"cpu_ns" bigint NOT NULL,
	"used_ns" bigint,
	"elapsed_ms" integer,
	"memory_bytes" bigint NOT NULL,
	"cpu_limit_millis" integer,
	"memory_limit_bytes" bigint,
	CONSTRAINT "usage_samples_pk" PRIMARY KEY("version_id","at","instance_id")
);
--> statement-breakpoint
ALTER TABLE "instance_events" ADD COLUMN "reason_code" "instance_reason_code";--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "sampled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "usage_hours" ADD CONSTRAINT "usage_hours_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_hours_hour_index" ON "usage_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "usage_samples_at_index" ON "usage_samples" USING btree ("at");--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_instance_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event instance_event_kind;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO instance_events (version_id, instance_id, at, kind) VALUES (NEW.version_id, NEW.id, clock_timestamp(), 'started');
  END IF;
  event := CASE
    WHEN NEW.state = 'READY' AND (TG_OP = 'INSERT' OR OLD.state = 'STARTING') THEN 'ready'
    WHEN NEW.state = 'FAILED' AND (TG_OP = 'INSERT' OR OLD.state NOT IN ('FAILED', 'STOPPED')) THEN 'failed'
    WHEN NEW.state = 'STOPPED' AND (TG_OP = 'INSERT' OR OLD.state NOT IN ('FAILED', 'STOPPED')) THEN 'stopped'
    WHEN TG_OP = 'INSERT' OR NEW.state <> 'READY' THEN NULL
    WHEN NEW.failing_since IS NOT NULL AND OLD.failing_since IS NULL THEN 'failing'
    WHEN NEW.failing_since IS NULL AND OLD.failing_since IS NOT NULL THEN 'recovered'
  END;
  IF event IS NOT NULL THEN
    INSERT INTO instance_events (version_id, instance_id, at, kind, reason_code, reason)
    VALUES (NEW.version_id, NEW.id, clock_timestamp(), event,
            CASE WHEN event IN ('failing', 'failed', 'stopped') THEN NEW.reason_code END,
            CASE WHEN event IN ('failing', 'failed', 'stopped') THEN NEW.reason END);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Instances that became ready before events were noted would look as if they didn't run.
INSERT INTO "instance_events" ("version_id", "instance_id", "at", "kind")
SELECT i.version_id, i.id, i.ready_at, 'ready'
  FROM "instances" i
 WHERE i.state = 'READY' AND NOT EXISTS (SELECT 1 FROM "instance_events" e WHERE e.version_id = i.version_id);
