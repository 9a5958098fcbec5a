ALTER TYPE "public"."instance_state" ADD VALUE 'DRAINING' BEFORE 'FAILED';--> statement-breakpoint
ALTER TYPE "public"."instance_reason_code" ADD VALUE 'RESTARTED';--> statement-breakpoint
DROP INDEX "one_live_instance_a_version";--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "instance_id" uuid;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "replica" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "draining_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "replicas" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "restart_requested_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "one_live_instance_a_replica" ON "instances" USING btree ("version_id","replica") WHERE state not in ('FAILED', 'STOPPED');--> statement-breakpoint
-- An instance that was draining ends like one that was ready.
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
    INSERT INTO instance_events (version_id, instance_id, at, kind, reason)
    VALUES (NEW.version_id, NEW.id, clock_timestamp(), event,
            CASE WHEN event IN ('failing', 'failed', 'stopped') THEN NEW.reason END);
  END IF;
  RETURN NULL;
END $$;
