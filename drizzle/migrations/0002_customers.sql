CREATE TYPE "public"."configuration_cause" AS ENUM('launch', 'configure', 'restore', 'upgrade', 'rollback');--> statement-breakpoint
CREATE TYPE "public"."secret_action" AS ENUM('set', 'kept', 'replaced', 'cleared', 'dropped', 'removed');--> statement-breakpoint
CREATE TYPE "public"."upgrade_state" AS ENUM('STARTING', 'DRAINING', 'DONE', 'FAILED');--> statement-breakpoint
CREATE TABLE "secret_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"installation_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"name" text NOT NULL,
	"action" "secret_action" NOT NULL,
	"by" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "state_reads" (
	"installation_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"last_read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "state_reads_installation_id_revision_pk" PRIMARY KEY("installation_id","revision")
);
--> statement-breakpoint
CREATE TABLE "upgrades" (
	"id" uuid PRIMARY KEY NOT NULL,
	"installation_id" uuid NOT NULL,
	"from_version_id" uuid NOT NULL,
	"to_version_id" uuid NOT NULL,
	"from_revision" integer NOT NULL,
	"to_revision" integer NOT NULL,
	"rollback" boolean DEFAULT false NOT NULL,
	"state" "upgrade_state" DEFAULT 'STARTING' NOT NULL,
	"reason" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"switched_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"leased_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "configurations" ADD COLUMN "version_id" uuid;--> statement-breakpoint
UPDATE "configurations" c SET "version_id" = i."version_id" FROM "installations" i WHERE i."id" = c."installation_id";--> statement-breakpoint
ALTER TABLE "configurations" ALTER COLUMN "version_id" SET NOT NULL;--> statement-breakpoint
-- A sealed value learns what it was entered as, and in which revision.
UPDATE "configurations" c SET "settings" = (
  SELECT jsonb_object_agg(s.key, CASE WHEN s.value->>'kind' = 'sealed' THEN s.value || jsonb_build_object(
           'setIn', c."revision",
           'type', coalesce((SELECT f->>'type' FROM jsonb_array_elements(v."manifest"->'app'->'fields') f
                              WHERE f->>'name' = s.key), 'Password')) ELSE s.value END)
    FROM jsonb_each(c."settings") s)
  FROM "versions" v WHERE v."id" = c."version_id" AND c."settings" <> '{}'::jsonb;--> statement-breakpoint
ALTER TABLE "configurations" ADD COLUMN "cause" "configuration_cause" DEFAULT 'launch' NOT NULL;--> statement-breakpoint
ALTER TABLE "configurations" ADD COLUMN "restored_from" integer;--> statement-breakpoint
ALTER TABLE "configurations" ADD COLUMN "schema_digests" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "configurations" ADD COLUMN "superseded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "configurations" ADD COLUMN "scrubbed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "installations" ADD COLUMN "other_version_id" uuid;--> statement-breakpoint
ALTER TABLE "routes" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "schema_digest" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "changed_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "sample" jsonb;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "credential" jsonb;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "sandbox" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "connection" jsonb;--> statement-breakpoint
ALTER TABLE "secret_events" ADD CONSTRAINT "secret_events_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_events" ADD CONSTRAINT "secret_events_by_users_id_fk" FOREIGN KEY ("by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "state_reads" ADD CONSTRAINT "state_reads_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_from_version_id_versions_id_fk" FOREIGN KEY ("from_version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_to_version_id_versions_id_fk" FOREIGN KEY ("to_version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "secret_events_installation_id_id_index" ON "secret_events" USING btree ("installation_id","id");--> statement-breakpoint
CREATE INDEX "upgrades_installation_id_index" ON "upgrades" USING btree ("installation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_upgrade_at_a_time" ON "upgrades" USING btree ("installation_id") WHERE state in ('STARTING', 'DRAINING');--> statement-breakpoint
ALTER TABLE "configurations" ADD CONSTRAINT "configurations_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_other_version_id_versions_id_fk" FOREIGN KEY ("other_version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "configurations_to_scrub" ON "configurations" USING btree ("superseded_at") WHERE superseded_at is not null and scrubbed_at is null;--> statement-breakpoint
CREATE INDEX "installations_other_version_id_index" ON "installations" USING btree ("other_version_id");