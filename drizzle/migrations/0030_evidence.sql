CREATE TYPE "public"."evidence_state" AS ENUM('QUEUED', 'RUNNING', 'DONE', 'FAILED');--> statement-breakpoint
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
	CONSTRAINT "evidence_review_id_unique" UNIQUE("review_id")
);
--> statement-breakpoint
ALTER TABLE "installations" ADD COLUMN "evidence_id" uuid;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evidence_to_check" ON "evidence" USING btree ("organization_id","queued_at") WHERE state in ('QUEUED', 'RUNNING');--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_evidence_id_evidence_id_fk" FOREIGN KEY ("evidence_id") REFERENCES "public"."evidence"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "installations_of_evidence" ON "installations" USING btree ("evidence_id") WHERE evidence_id is not null;