CREATE EXTENSION IF NOT EXISTS "pg_trgm";--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS "btree_gin";--> statement-breakpoint
CREATE TYPE "public"."instance_event_kind" AS ENUM('started', 'ready', 'failing', 'recovered', 'failed', 'stopped');--> statement-breakpoint
CREATE TYPE "public"."log_level" AS ENUM('error', 'warn', 'info', 'debug');--> statement-breakpoint
CREATE TYPE "public"."log_stream" AS ENUM('stdout', 'stderr', 'platform');--> statement-breakpoint
CREATE TYPE "public"."blob_kind" AS ENUM('blob', 'manifest');--> statement-breakpoint
CREATE TYPE "public"."configuration_check_state" AS ENUM('QUEUED', 'STARTING', 'CALLING', 'ENDED', 'CANCELED');--> statement-breakpoint
CREATE TYPE "public"."breaker_state" AS ENUM('CLOSED', 'OPEN', 'HALF_OPEN');--> statement-breakpoint
CREATE TYPE "public"."delivery_hold" AS ENUM('NOT_RUNNING', 'NOT_READY', 'BREAKER_OPEN');--> statement-breakpoint
CREATE TYPE "public"."delivery_state" AS ENUM('PENDING', 'DELIVERED', 'DEAD', 'ENDED');--> statement-breakpoint
CREATE TYPE "public"."lifecycle_event" AS ENUM('install', 'uninstall', 'start', 'stop');--> statement-breakpoint
CREATE TYPE "public"."evidence_state" AS ENUM('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELED');--> statement-breakpoint
CREATE TYPE "public"."link_kind" AS ENUM('SIGN_UP', 'EMAIL_CHANGE', 'NEW_PASSWORD');--> statement-breakpoint
CREATE TYPE "public"."configuration_cause" AS ENUM('launch', 'configure', 'restore', 'upgrade', 'rollback');--> statement-breakpoint
CREATE TYPE "public"."endpoint_access" AS ENUM('core', 'public');--> statement-breakpoint
CREATE TYPE "public"."installation_state" AS ENUM('LAUNCHING', 'RUNNING', 'ERROR', 'STOPPING', 'STOPPED', 'UNINSTALLING', 'UNINSTALLED');--> statement-breakpoint
CREATE TYPE "public"."instance_state" AS ENUM('STARTING', 'READY', 'DRAINING', 'FAILED', 'STOPPED');--> statement-breakpoint
CREATE TYPE "public"."instance_reason_code" AS ENUM('PORT_NOT_BOUND', 'HEALTH_NOT_200', 'HEALTH_TIMED_OUT', 'EXITED', 'OOM_KILLED', 'COMMAND_NOT_STARTED', 'IMAGE_MISSING', 'STORE_UNREACHABLE', 'ENGINE_UNREACHABLE', 'ENGINE_FAILED', 'NETWORK_FAILED', 'RUNTIME_NOT_AVAILABLE', 'QUOTA_REACHED', 'PLATFORM_FAILED', 'INTERRUPTED', 'REMOVED', 'WORKER_ENDED', 'NOT_NEEDED', 'MOVED', 'RESTARTED', 'ASLEEP');--> statement-breakpoint
CREATE TYPE "public"."route_kind" AS ENUM('webhook', 'autofill', 'rater', 'lifecycle', 'endpoint');--> statement-breakpoint
CREATE TYPE "public"."secret_action" AS ENUM('set', 'kept', 'replaced', 'cleared', 'dropped', 'removed');--> statement-breakpoint
CREATE TYPE "public"."unpark_cause" AS ENUM('START_AGAIN', 'CONFIGURATION', 'READY');--> statement-breakpoint
CREATE TYPE "public"."bundle_kind" AS ENUM('image', 'example-folder');--> statement-breakpoint
CREATE TYPE "public"."listing_category" AS ENUM('underwriting', 'rating', 'data', 'claims', 'billing', 'documents', 'communication', 'compliance', 'analytics', 'integration', 'other');--> statement-breakpoint
CREATE TYPE "public"."listing_state" AS ENUM('DRAFT', 'PUBLIC', 'SUSPENDED', 'RETIRED');--> statement-breakpoint
CREATE TYPE "public"."review_kind" AS ENUM('VERSION', 'TEXT');--> statement-breakpoint
CREATE TYPE "public"."review_state" AS ENUM('PENDING', 'APPROVED', 'CHANGES_REQUESTED', 'REJECTED', 'WITHDRAWN');--> statement-breakpoint
CREATE TYPE "public"."log_excerpt_state" AS ENUM('WAITING', 'READ', 'GONE');--> statement-breakpoint
CREATE TYPE "public"."mail_state" AS ENUM('QUEUED', 'SENT', 'DEAD');--> statement-breakpoint
CREATE TYPE "public"."role" AS ENUM('owner', 'publisher', 'operator');--> statement-breakpoint
CREATE TYPE "public"."sign_in_method" AS ENUM('PASSWORD', 'OIDC');--> statement-breakpoint
CREATE TYPE "public"."upgrade_state" AS ENUM('STARTING', 'DRAINING', 'DONE', 'FAILED');--> statement-breakpoint
CREATE TABLE "instance_events" (
	"version_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "instance_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"instance_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"kind" "instance_event_kind" NOT NULL,
	"reason_code" "instance_reason_code",
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
CREATE TABLE "audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"position" integer NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"details" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seal" text NOT NULL,
	CONSTRAINT "audit_chain_position_unique" UNIQUE("chain","position")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"chain" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"seal" text NOT NULL,
	"head_seal" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"wrapped" text NOT NULL,
	"master_key_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"wrapped" text NOT NULL,
	"master_key_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "blob_uploads" (
	"organization_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"bytes" bigint NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blob_uploads_organization_id_digest_pk" PRIMARY KEY("organization_id","digest")
);
--> statement-breakpoint
CREATE TABLE "image_blobs" (
	"archive_digest" text NOT NULL,
	"digest" text NOT NULL,
	CONSTRAINT "image_blobs_archive_digest_digest_pk" PRIMARY KEY("archive_digest","digest")
);
--> statement-breakpoint
CREATE TABLE "organization_blobs" (
	"organization_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organization_blobs_organization_id_digest_pk" PRIMARY KEY("organization_id","digest")
);
--> statement-breakpoint
CREATE TABLE "stored_blobs" (
	"digest" text PRIMARY KEY NOT NULL,
	"kind" "blob_kind" NOT NULL,
	"bytes" bigint NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"touched_by" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "call_hours" (
	"hour" timestamp with time zone NOT NULL,
	"organization_id" uuid NOT NULL,
	"installation_id" uuid NOT NULL,
	"route_id" uuid NOT NULL,
	"test" boolean NOT NULL,
	"event_type" text NOT NULL,
	"latencies" smallint[] NOT NULL,
	"calls" integer[] NOT NULL,
	"failed" integer[] NOT NULL,
	CONSTRAINT "call_hours_pk" PRIMARY KEY("organization_id","hour","installation_id","route_id","test","event_type")
);
--> statement-breakpoint
CREATE TABLE "configuration_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"installation_id" uuid,
	"state" "configuration_check_state" DEFAULT 'QUEUED' NOT NULL,
	"settings" jsonb,
	"mappings" jsonb,
	"result" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer
);
--> statement-breakpoint
CREATE TABLE "attempt_state_reads" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"first_read_at" timestamp with time zone NOT NULL,
	"last_read_at" timestamp with time zone NOT NULL,
	"revision" integer
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"installation_id" uuid NOT NULL,
	"route_id" uuid NOT NULL,
	"delivery_id" uuid,
	"kind" "route_kind" NOT NULL,
	"hook" "lifecycle_event",
	"target" text NOT NULL,
	"event_type" text,
	"test" boolean DEFAULT false NOT NULL,
	"recorded" boolean DEFAULT true NOT NULL,
	"payload" text,
	"payload_bytes" integer,
	"due_at" timestamp with time zone,
	"held_by" "delivery_hold",
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"queue_ms" bigint,
	"platform_ms" integer,
	"duration_ms" integer,
	"ended_at" timestamp with time zone,
	"status" integer,
	"answer" text,
	"answer_bytes" integer,
	"failure" text,
	"fault" text,
	"instance_id" uuid
);
--> statement-breakpoint
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
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"installation_id" uuid NOT NULL,
	"route_id" uuid NOT NULL,
	"state" "delivery_state" DEFAULT 'PENDING' NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"interruptions" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	"reason" text,
	CONSTRAINT "deliveries_event_id_route_id_unique" UNIQUE("event_id","route_id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"body_hash" text NOT NULL,
	"test" boolean DEFAULT false NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_tenant_id_event_id_unique" UNIQUE("tenant_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "evidence" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"state" "evidence_state" DEFAULT 'QUEUED' NOT NULL,
	"facts" jsonb,
	"checks" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reason" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"queued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer,
	CONSTRAINT "evidence_review_id_unique" UNIQUE("review_id")
);
--> statement-breakpoint
CREATE TABLE "account_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" "link_kind" NOT NULL,
	"hash" text NOT NULL,
	"user_id" uuid,
	"content" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "account_links_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "linked_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "linked_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "pending_sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"requester" text NOT NULL,
	"content" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "recovery_codes_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"wrapped" text NOT NULL,
	"master_key_id" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "images" (
	"organization_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "images_organization_id_digest_pk" PRIMARY KEY("organization_id","digest")
);
--> statement-breakpoint
CREATE TABLE "configurations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"installation_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"version_id" uuid NOT NULL,
	"cause" "configuration_cause" DEFAULT 'launch' NOT NULL,
	"restored_from" integer,
	"settings" jsonb NOT NULL,
	"mappings" jsonb NOT NULL,
	"schema_digests" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"superseded_at" timestamp with time zone,
	"scrubbed_at" timestamp with time zone,
	CONSTRAINT "configurations_installation_id_revision_unique" UNIQUE("installation_id","revision")
);
--> statement-breakpoint
CREATE TABLE "data_keys" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"wrapped" text NOT NULL,
	"master_key_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"listing_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"other_version_id" uuid,
	"test" boolean DEFAULT false NOT NULL,
	"evidence_id" uuid,
	"state" "installation_state" DEFAULT 'LAUNCHING' NOT NULL,
	"reason" text,
	"reason_code" "instance_reason_code",
	"running_since" timestamp with time zone,
	"installed_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	"key_epoch" integer DEFAULT 0 NOT NULL,
	"route_base" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer,
	CONSTRAINT "installations_route_base_unique" UNIQUE("route_base")
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version_id" uuid NOT NULL,
	"replica" integer DEFAULT 0 NOT NULL,
	"runtime" text NOT NULL,
	"handle" text,
	"origin" text,
	"state" "instance_state" DEFAULT 'STARTING' NOT NULL,
	"reason_code" "instance_reason_code",
	"reason" text,
	"exit_code" integer,
	"log_tail" text,
	"failed_checks" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"draining_since" timestamp with time zone,
	"sampled_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
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
CREATE TABLE "routes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"installation_id" uuid NOT NULL,
	"kind" "route_kind" NOT NULL,
	"path" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"patterns" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"access" "endpoint_access",
	"opened_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	CONSTRAINT "routes_installation_id_kind_path_unique" UNIQUE("installation_id","kind","path")
);
--> statement-breakpoint
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
CREATE TABLE "webhook_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"installation_id" uuid NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "isolation_checks" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"duration_ms" integer,
	"problem" text,
	"places" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "one_row" CHECK ("isolation_checks"."id")
);
--> statement-breakpoint
CREATE TABLE "listing_drafts" (
	"listing_id" uuid PRIMARY KEY NOT NULL,
	"text" jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"app_name" text NOT NULL,
	"title" text NOT NULL,
	"tagline" text DEFAULT '' NOT NULL,
	"category" "listing_category" DEFAULT 'other' NOT NULL,
	"about" jsonb NOT NULL,
	"requirements" jsonb NOT NULL,
	"links" jsonb DEFAULT '{"support":"","privacy":"","website":""}'::jsonb NOT NULL,
	"icon" text,
	"screenshots" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"state" "listing_state" DEFAULT 'DRAFT' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replicas" integer DEFAULT 1 NOT NULL,
	"restart_requested_at" timestamp with time zone,
	"public_since" timestamp with time zone,
	"publisher" text DEFAULT '' NOT NULL,
	"connections" text[] DEFAULT '{}' NOT NULL,
	"connection_words" text DEFAULT '' NOT NULL,
	"search_names" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g'))) STORED,
	"search_tagline" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(tagline, '[^[:alnum:]]+', ' ', 'g'))) STORED,
	"search_connections" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(tagline, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', connection_words)) STORED,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(tagline, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', connection_words) || to_tsvector('english', regexp_replace(coalesce(about ->> 'product', '') || ' ' || coalesce(about ->> 'offering', '') || ' ' || coalesce(about ->> 'company', ''), '[^[:alnum:]]+', ' ', 'g'))) STORED,
	CONSTRAINT "listings_organization_id_app_name_unique" UNIQUE("organization_id","app_name")
);
--> statement-breakpoint
CREATE TABLE "manifest_drafts" (
	"listing_id" uuid PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"base_version_id" uuid,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" uuid PRIMARY KEY NOT NULL,
	"listing_id" uuid NOT NULL,
	"kind" "review_kind" DEFAULT 'VERSION' NOT NULL,
	"version_id" uuid,
	"text" jsonb NOT NULL,
	"state" "review_state" DEFAULT 'PENDING' NOT NULL,
	"submission_note" text DEFAULT '' NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() + interval '3 days' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"submitted_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"claimed_by" uuid,
	"claimed_at" timestamp with time zone,
	CONSTRAINT "version_of_its_kind" CHECK ((kind = 'VERSION') = (version_id is not null))
);
--> statement-breakpoint
CREATE TABLE "search_terms" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"listing_id" uuid NOT NULL,
	"number" text NOT NULL,
	"manifest" jsonb NOT NULL,
	"manifest_text" text NOT NULL,
	"image_manifest_text" text NOT NULL,
	"bundle_kind" "bundle_kind" DEFAULT 'image' NOT NULL,
	"image_digest" text NOT NULL,
	"archive_digest" text NOT NULL,
	"archive_bytes" bigint NOT NULL,
	"asleep_since" timestamp with time zone,
	"woken_at" timestamp with time zone,
	"published_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"verified_at" timestamp with time zone,
	"release_notes" text DEFAULT '' NOT NULL,
	CONSTRAINT "versions_listing_id_number_unique" UNIQUE("listing_id","number")
);
--> statement-breakpoint
CREATE TABLE "log_excerpts" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"state" "log_excerpt_state" DEFAULT 'WAITING' NOT NULL,
	"instance_id" uuid,
	"text" text,
	"cut" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer
);
--> statement-breakpoint
CREATE TABLE "review_comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"review_id" uuid NOT NULL,
	"parent_id" uuid,
	"author_id" uuid NOT NULL,
	"moderator" boolean NOT NULL,
	"body" text NOT NULL,
	"anchor" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"resolved_by" uuid
);
--> statement-breakpoint
CREATE TABLE "suspensions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"listing_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"suspended_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"stops_installations" boolean NOT NULL,
	"stopped" uuid[] DEFAULT '{}' NOT NULL,
	"reinstated_by" uuid,
	"reinstated_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text,
	"sealed" text,
	"master_key_id" text,
	"notification_id" uuid,
	"state" "mail_state" DEFAULT 'QUEUED' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer,
	CONSTRAINT "one_recipient" CHECK (("mails"."recipient" is null) <> ("mails"."notification_id" is null))
);
--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"in_product" boolean NOT NULL,
	"email" boolean NOT NULL,
	CONSTRAINT "notification_preferences_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"organization_id" uuid,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"href" text NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"shown" boolean DEFAULT true NOT NULL,
	"lasts" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"mailed_at" timestamp with time zone,
	CONSTRAINT "one_notification_a_subject" UNIQUE("user_id","kind","subject")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"client_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"created_by" uuid NOT NULL,
	"scopes" text[] DEFAULT '{"publish","manifest:read","manifest:write"}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"expiry_told_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"last_used_from" text DEFAULT '' NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_client_id_unique" UNIQUE("client_id")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"role" "role" NOT NULL,
	"email" text,
	"token_hash" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"accepted_by" uuid,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" "role" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_organization_id_user_id_pk" PRIMARY KEY("organization_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"record_bodies" boolean DEFAULT false NOT NULL,
	"require_second_factor" boolean DEFAULT false NOT NULL,
	"moderation" boolean DEFAULT false NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"website" text DEFAULT '' NOT NULL,
	"support_address" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"organization_id" uuid,
	"signed_in_by" "sign_in_method" DEFAULT 'PASSWORD' NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"network" text DEFAULT '' NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_confirmed_at" timestamp with time zone,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"moderator" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "core_credentials" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "core_credentials_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"name" text NOT NULL,
	"schema" jsonb NOT NULL,
	"schema_digest" text DEFAULT '' NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sample" jsonb,
	"refreshed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_tenant_id_name_unique" UNIQUE("tenant_id","name")
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"host_name" text NOT NULL,
	"core_api_url" text NOT NULL,
	"credential" jsonb,
	"sandbox" boolean DEFAULT false NOT NULL,
	"connection" jsonb,
	"shares_host" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disconnected_at" timestamp with time zone
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
	"open_endpoints" boolean DEFAULT false NOT NULL,
	"state" "upgrade_state" DEFAULT 'STARTING' NOT NULL,
	"reason" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"switched_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer
);
--> statement-breakpoint
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
CREATE TABLE "workers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"missing_since" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "instance_events" ADD CONSTRAINT "instance_events_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instance_logs" ADD CONSTRAINT "instance_logs_id_instances_id_fk" FOREIGN KEY ("id") REFERENCES "public"."instances"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_logs" ADD CONSTRAINT "version_logs_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blob_uploads" ADD CONSTRAINT "blob_uploads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_blobs" ADD CONSTRAINT "image_blobs_digest_stored_blobs_digest_fk" FOREIGN KEY ("digest") REFERENCES "public"."stored_blobs"("digest") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_blobs" ADD CONSTRAINT "organization_blobs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_blobs" ADD CONSTRAINT "organization_blobs_digest_stored_blobs_digest_fk" FOREIGN KEY ("digest") REFERENCES "public"."stored_blobs"("digest") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "breakers" ADD CONSTRAINT "breakers_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "linked_identities" ADD CONSTRAINT "linked_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configurations" ADD CONSTRAINT "configurations_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configurations" ADD CONSTRAINT "configurations_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configurations" ADD CONSTRAINT "configurations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_other_version_id_versions_id_fk" FOREIGN KEY ("other_version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_evidence_id_evidence_id_fk" FOREIGN KEY ("evidence_id") REFERENCES "public"."evidence"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parkings" ADD CONSTRAINT "parkings_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parkings" ADD CONSTRAINT "parkings_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_events" ADD CONSTRAINT "secret_events_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_events" ADD CONSTRAINT "secret_events_by_users_id_fk" FOREIGN KEY ("by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "state_reads" ADD CONSTRAINT "state_reads_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_drafts" ADD CONSTRAINT "listing_drafts_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "manifest_drafts" ADD CONSTRAINT "manifest_drafts_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "manifest_drafts" ADD CONSTRAINT "manifest_drafts_base_version_id_versions_id_fk" FOREIGN KEY ("base_version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_submitted_by_users_id_fk" FOREIGN KEY ("submitted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_claimed_by_users_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "log_excerpts" ADD CONSTRAINT "log_excerpts_attempt_id_attempts_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."attempts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "log_excerpts" ADD CONSTRAINT "log_excerpts_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_parent_id_review_comments_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."review_comments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_comments" ADD CONSTRAINT "review_comments_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_suspended_by_users_id_fk" FOREIGN KEY ("suspended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_reinstated_by_users_id_fk" FOREIGN KEY ("reinstated_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepted_by_users_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_credentials" ADD CONSTRAINT "core_credentials_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_from_version_id_versions_id_fk" FOREIGN KEY ("from_version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_to_version_id_versions_id_fk" FOREIGN KEY ("to_version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upgrades" ADD CONSTRAINT "upgrades_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_hours" ADD CONSTRAINT "usage_hours_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "instance_events_by_time" ON "instance_events" USING btree ("version_id","at","id");--> statement-breakpoint
CREATE INDEX "instance_events_at_index" ON "instance_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "open_instance_logs" ON "instance_logs" USING btree ("id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "log_lines_by_time" ON "log_lines" USING btree ("version_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_of_chain" ON "audit" USING btree ("chain","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_of_actor" ON "audit" USING btree ("chain","actor","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_of_action" ON "audit" USING btree ("chain","action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_of_subject" ON "audit" USING btree ("chain","subject","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_of_moderators" ON "audit" USING btree ("created_at","id") WHERE chain = 'platform' or action like 'review.%' or action in ('listing.suspend', 'listing.reinstate');--> statement-breakpoint
CREATE INDEX "blob_uploads_touched_at_index" ON "blob_uploads" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "image_blobs_digest_index" ON "image_blobs" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "organization_blobs_digest_index" ON "organization_blobs" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "organization_blobs_touched_at_index" ON "organization_blobs" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "stored_blobs_touched_at_index" ON "stored_blobs" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "call_hours_hour_index" ON "call_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "open_configuration_checks" ON "configuration_checks" USING btree ("created_at") WHERE state <> 'ENDED';--> statement-breakpoint
CREATE INDEX "configuration_checks_version_id_index" ON "configuration_checks" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "configuration_checks_user_id_index" ON "configuration_checks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "attempts_installation_id_id_index" ON "attempts" USING btree ("installation_id","id");--> statement-breakpoint
CREATE INDEX "attempts_organization_id_id_index" ON "attempts" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "attempts_of_deliveries" ON "attempts" USING btree ("delivery_id") WHERE delivery_id is not null;--> statement-breakpoint
CREATE INDEX "failed_attempts" ON "attempts" USING btree ("organization_id","id") WHERE failure is not null;--> statement-breakpoint
CREATE INDEX "pending_deliveries" ON "deliveries" USING btree ("installation_id","next_attempt_at") WHERE state = 'PENDING';--> statement-breakpoint
CREATE INDEX "dead_deliveries" ON "deliveries" USING btree ("installation_id","settled_at") WHERE state = 'DEAD';--> statement-breakpoint
CREATE INDEX "evidence_to_check" ON "evidence" USING btree ("organization_id","queued_at") WHERE state in ('QUEUED', 'RUNNING');--> statement-breakpoint
CREATE INDEX "account_links_user_id_index" ON "account_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_links_expires_at_index" ON "account_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "linked_identities_user_id_index" ON "linked_identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "pending_sign_ups_email_index" ON "pending_sign_ups" USING btree ("email");--> statement-breakpoint
CREATE INDEX "pending_sign_ups_expires_at_index" ON "pending_sign_ups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "images_digest_index" ON "images" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "configurations_to_scrub" ON "configurations" USING btree ("superseded_at") WHERE superseded_at is not null and scrubbed_at is null;--> statement-breakpoint
CREATE INDEX "installations_organization_id_index" ON "installations" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "installations_version_id_index" ON "installations" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "installations_other_version_id_index" ON "installations" USING btree ("other_version_id");--> statement-breakpoint
CREATE INDEX "installations_tenant_id_index" ON "installations" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "installations_of_evidence" ON "installations" USING btree ("evidence_id") WHERE evidence_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_installation_a_tenant" ON "installations" USING btree ("tenant_id","listing_id","test") WHERE state <> 'UNINSTALLED';--> statement-breakpoint
CREATE INDEX "instances_version_id_index" ON "instances" USING btree ("version_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_live_instance_a_replica" ON "instances" USING btree ("version_id","replica") WHERE state not in ('FAILED', 'STOPPED');--> statement-breakpoint
CREATE INDEX "parkings_version_id_ended_at_index" ON "parkings" USING btree ("version_id","ended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_parking_a_version" ON "parkings" USING btree ("version_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "secret_events_installation_id_id_index" ON "secret_events" USING btree ("installation_id","id");--> statement-breakpoint
CREATE INDEX "webhook_secrets_installation_id_index" ON "webhook_secrets" USING btree ("installation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_current_webhook_secret" ON "webhook_secrets" USING btree ("installation_id") WHERE expires_at is null;--> statement-breakpoint
CREATE INDEX "listings_state_index" ON "listings" USING btree ("state");--> statement-breakpoint
CREATE INDEX "listings_newest" ON "listings" USING btree ("public_since","id") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_newest_of_a_category" ON "listings" USING btree ("category","public_since","id") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_by_id" ON "listings" USING btree ("id") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_names" ON "listings" USING gin ("search_names","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_tagline" ON "listings" USING gin ("search_tagline","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_connections" ON "listings" USING gin ("search_connections","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_texts" ON "listings" USING gin ("search","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE UNIQUE INDEX "one_pending_review_of_a_kind" ON "reviews" USING btree ("listing_id","kind") WHERE state = 'PENDING';--> statement-breakpoint
CREATE INDEX "reviews_state_created_at_index" ON "reviews" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "reviews_by_due_date" ON "reviews" USING btree ("state","due_at","id");--> statement-breakpoint
CREATE INDEX "reviews_of_a_listing" ON "reviews" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "search_terms_similar" ON "search_terms" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "versions_archive_digest_index" ON "versions" USING btree ("archive_digest");--> statement-breakpoint
CREATE INDEX "sleeping_versions" ON "versions" USING btree ("id") WHERE asleep_since is not null;--> statement-breakpoint
CREATE INDEX "waiting_log_excerpts" ON "log_excerpts" USING btree ("created_at") WHERE state = 'WAITING';--> statement-breakpoint
CREATE INDEX "log_excerpts_instance_id_index" ON "log_excerpts" USING btree ("instance_id");--> statement-breakpoint
CREATE INDEX "review_comments_review_id_index" ON "review_comments" USING btree ("review_id");--> statement-breakpoint
CREATE INDEX "suspensions_listing_id_index" ON "suspensions" USING btree ("listing_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_suspension_at_a_time" ON "suspensions" USING btree ("listing_id") WHERE reinstated_at is null;--> statement-breakpoint
CREATE INDEX "queued_mails" ON "mails" USING btree ("due_at") WHERE state = 'QUEUED';--> statement-breakpoint
CREATE INDEX "mails_notification_id_index" ON "mails" USING btree ("notification_id");--> statement-breakpoint
CREATE INDEX "lasting_notifications" ON "notifications" USING btree ("kind","subject") WHERE lasts;--> statement-breakpoint
CREATE INDEX "newest_notifications" ON "notifications" USING btree ("user_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "unread_notifications" ON "notifications" USING btree ("user_id","updated_at","id") WHERE read_at is null and shown;--> statement-breakpoint
CREATE INDEX "api_keys_organization_id_index" ON "api_keys" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "api_keys_expires_at_index" ON "api_keys" USING btree ("expires_at") WHERE "api_keys"."expires_at" is not null and "api_keys"."expiry_told_at" is null;--> statement-breakpoint
CREATE INDEX "invitations_organization_id_index" ON "invitations" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_pending_invitation" ON "invitations" USING btree ("organization_id","email") WHERE "invitations"."accepted_at" is null and "invitations"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "memberships_user_id_index" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_moderation" ON "organizations" USING btree ("moderation") WHERE moderation;--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "core_credentials_tenant_id_index" ON "core_credentials" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "products_tenant_id_index" ON "products" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_tenant_a_name" ON "tenants" USING btree ("organization_id","name") WHERE disconnected_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_tenant_a_host" ON "tenants" USING btree (lower(host_name)) WHERE disconnected_at is null and not sandbox and not shares_host;--> statement-breakpoint
CREATE INDEX "upgrades_installation_id_index" ON "upgrades" USING btree ("installation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_upgrade_at_a_time" ON "upgrades" USING btree ("installation_id") WHERE state in ('STARTING', 'DRAINING');--> statement-breakpoint
CREATE INDEX "usage_hours_hour_index" ON "usage_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "usage_samples_at_index" ON "usage_samples" USING btree ("at");