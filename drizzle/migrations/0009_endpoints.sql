CREATE TYPE "public"."endpoint_access" AS ENUM('core', 'public');--> statement-breakpoint
ALTER TYPE "public"."route_kind" ADD VALUE 'endpoint';--> statement-breakpoint
ALTER TABLE "installations" ADD COLUMN "route_base" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
UPDATE "installations" SET "route_base" = "routes"."id" FROM "routes" WHERE "routes"."installation_id" = "installations"."id" AND "routes"."kind" = 'lifecycle';--> statement-breakpoint
ALTER TABLE "routes" ADD COLUMN "access" "endpoint_access";--> statement-breakpoint
ALTER TABLE "routes" ADD COLUMN "opened_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "upgrades" ADD COLUMN "open_endpoints" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "installations" ADD CONSTRAINT "installations_route_base_unique" UNIQUE("route_base");