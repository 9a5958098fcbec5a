CREATE TYPE "public"."instance_event_kind" AS ENUM('started', 'ready', 'failing', 'recovered', 'failed', 'stopped');--> statement-breakpoint
CREATE TYPE "public"."log_level" AS ENUM('error', 'warn', 'info', 'debug');--> statement-breakpoint
CREATE TYPE "public"."log_stream" AS ENUM('stdout', 'stderr', 'platform');--> statement-breakpoint
CREATE TABLE "instance_events" (
	"version_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "instance_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"instance_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"kind" "instance_event_kind" NOT NULL,
	"reason" text,
	CONSTRAINT "instance_events_pk" PRIMARY KEY("version_id","id")
);
--> statement-breakpoint
CREATE TABLE "instance_logs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version_id" uuid NOT NULL,
	"position" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"closed_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer
);
--> statement-breakpoint
CREATE TABLE "log_lines" (
	"version_id" uuid NOT NULL,
	"id" bigint NOT NULL,
	"instance_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"stream" "log_stream" NOT NULL,
	"level" "log_level",
	"text" text NOT NULL,
	"cut_bytes" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "log_lines_pk" PRIMARY KEY("version_id","id")
);
--> statement-breakpoint
CREATE TABLE "version_logs" (
	"version_id" uuid PRIMARY KEY NOT NULL,
	"last_id" bigint DEFAULT 0 NOT NULL,
	"lines" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"oldest_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "instance_events" ADD CONSTRAINT "instance_events_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instance_logs" ADD CONSTRAINT "instance_logs_id_instances_id_fk" FOREIGN KEY ("id") REFERENCES "public"."instances"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_logs" ADD CONSTRAINT "version_logs_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "instance_events_at_index" ON "instance_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "open_instance_logs" ON "instance_logs" USING btree ("id") WHERE closed_at is null;
--> statement-breakpoint
CREATE FUNCTION "note_instance_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event instance_event_kind;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO instance_events (version_id, instance_id, at, kind) VALUES (NEW.version_id, NEW.id, clock_timestamp(), 'started');
  END IF;
  event := CASE
    WHEN NEW.state = 'READY' AND (TG_OP = 'INSERT' OR OLD.state = 'STARTING') THEN 'ready'
    WHEN NEW.state = 'FAILED' AND (TG_OP = 'INSERT' OR OLD.state IN ('STARTING', 'READY')) THEN 'failed'
    WHEN NEW.state = 'STOPPED' AND (TG_OP = 'INSERT' OR OLD.state IN ('STARTING', 'READY')) THEN 'stopped'
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
END $$;--> statement-breakpoint
-- What pages show as the history of an app must not depend on which code changed the instance.
CREATE TRIGGER "instance_events_are_noted" AFTER INSERT OR UPDATE OF "state", "failing_since" ON "instances"
  FOR EACH ROW EXECUTE FUNCTION "note_instance_event"();
