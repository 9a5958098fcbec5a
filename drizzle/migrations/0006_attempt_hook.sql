CREATE TYPE "public"."lifecycle_event" AS ENUM('install', 'uninstall', 'start', 'stop');--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "hook" "lifecycle_event";
--> statement-breakpoint
UPDATE "attempts" SET "hook" = substring("target" from '^GET /_app/(install|uninstall|start|stop)\?')::"lifecycle_event" WHERE "kind" = 'lifecycle';
