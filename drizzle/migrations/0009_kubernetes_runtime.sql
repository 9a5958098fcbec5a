ALTER TYPE "public"."instance_reason_code" ADD VALUE 'CLUSTER_UNREACHABLE' BEFORE 'RUNTIME_NOT_AVAILABLE';--> statement-breakpoint
ALTER TYPE "public"."instance_reason_code" ADD VALUE 'CLUSTER_FAILED' BEFORE 'RUNTIME_NOT_AVAILABLE';--> statement-breakpoint
ALTER TYPE "public"."instance_reason_code" ADD VALUE 'CLUSTER_QUOTA' BEFORE 'RUNTIME_NOT_AVAILABLE';--> statement-breakpoint
ALTER TYPE "public"."instance_reason_code" ADD VALUE 'NO_ROOM' BEFORE 'RUNTIME_NOT_AVAILABLE';--> statement-breakpoint
ALTER TYPE "public"."instance_reason_code" ADD VALUE 'PULL_REFUSED' BEFORE 'RUNTIME_NOT_AVAILABLE';--> statement-breakpoint
ALTER TYPE "public"."instance_reason_code" ADD VALUE 'EVICTED' BEFORE 'WORKER_ENDED';--> statement-breakpoint
CREATE TABLE "runtime_owner" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "one_owner" CHECK ("runtime_owner"."one")
);
