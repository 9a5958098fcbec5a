-- A value that is added to a type can't be used in the same transaction, so the type is made anew.
DROP INDEX "evidence_to_check";--> statement-breakpoint
ALTER TABLE "evidence" ALTER COLUMN "state" DROP DEFAULT;--> statement-breakpoint
ALTER TYPE "public"."evidence_state" RENAME TO "evidence_state_before";--> statement-breakpoint
CREATE TYPE "public"."evidence_state" AS ENUM('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELED');--> statement-breakpoint
ALTER TABLE "evidence" ALTER COLUMN "state" SET DATA TYPE "public"."evidence_state" USING "state"::text::"public"."evidence_state";--> statement-breakpoint
ALTER TABLE "evidence" ALTER COLUMN "state" SET DEFAULT 'QUEUED';--> statement-breakpoint
DROP TYPE "public"."evidence_state_before";--> statement-breakpoint
CREATE INDEX "evidence_to_check" ON "evidence" USING btree ("organization_id","queued_at") WHERE state in ('QUEUED', 'RUNNING');--> statement-breakpoint
UPDATE "evidence" e SET "state" = 'CANCELED', "ended_at" = coalesce(r."decided_at", now()), "leased_until" = null FROM "reviews" r WHERE r."id" = e."review_id" AND r."state" <> 'PENDING' AND e."state" IN ('QUEUED', 'RUNNING');
