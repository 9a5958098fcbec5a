ALTER TABLE "configuration_checks" ADD COLUMN "scope" text;--> statement-breakpoint
ALTER TABLE "configurations" ADD COLUMN "scope" text;