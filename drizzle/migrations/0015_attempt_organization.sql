ALTER TABLE "attempts" ADD COLUMN "organization_id" uuid;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "event_type" text;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "queue_ms" integer;--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "platform_ms" integer;--> statement-breakpoint
UPDATE "attempts" SET "organization_id" = "installations"."organization_id", "event_type" = (SELECT "events"."type" FROM "deliveries" JOIN "events" ON "events"."id" = "deliveries"."event_id" WHERE "deliveries"."id" = "attempts"."delivery_id") FROM "installations" WHERE "installations"."id" = "attempts"."installation_id";--> statement-breakpoint
ALTER TABLE "attempts" ALTER COLUMN "organization_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_organization_id_id_index" ON "attempts" USING btree ("organization_id","id");
