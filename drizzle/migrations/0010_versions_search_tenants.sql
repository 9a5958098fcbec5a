ALTER TABLE "tenants" DROP CONSTRAINT "tenants_organization_id_name_unique";--> statement-breakpoint
ALTER TABLE "tenants" ALTER COLUMN "core_credential_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (to_tsvector('english', title || ' ' || (about ->> 'product') || ' ' || (about ->> 'offering') || ' ' || (about ->> 'company'))) STORED;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "image_manifest_text" text;--> statement-breakpoint
-- The first version with an image is the one that was published with it; the others were released without one.
UPDATE "versions" v SET "image_manifest_text" = (
  SELECT f."manifest_text" FROM "versions" f
   WHERE f."listing_id" = v."listing_id" AND f."archive_digest" = v."archive_digest" ORDER BY f."id" LIMIT 1);--> statement-breakpoint
ALTER TABLE "versions" ALTER COLUMN "image_manifest_text" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (to_tsvector('english', regexp_replace(left(jsonb_path_query_array(manifest, '$.core.webhooks[*].events')::text || jsonb_path_query_array(manifest, '$.core.autofill[*].operations')::text || jsonb_path_query_array(manifest, '$.core.externalRaters[*].name')::text, 100000) || ' ' || regexp_replace(left(jsonb_path_query_array(manifest, '$.core.webhooks[*].events')::text || jsonb_path_query_array(manifest, '$.core.autofill[*].operations')::text || jsonb_path_query_array(manifest, '$.core.externalRaters[*].name')::text, 100000), '([a-z])([A-Z])', '\1 \2', 'g'), '[][",.:*/_-]+', ' ', 'g'))) STORED;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "shares_host" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "disconnected_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "listings_search" ON "listings" USING gin ("search");--> statement-breakpoint
CREATE INDEX "versions_search" ON "versions" USING gin ("search");--> statement-breakpoint
-- Tenants that already share a host name go on working.
UPDATE "tenants" t SET "shares_host" = true WHERE NOT t."sandbox" AND EXISTS (
  SELECT FROM "tenants" f WHERE lower(f."host_name") = lower(t."host_name") AND NOT f."sandbox" AND f."id" < t."id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_tenant_a_name" ON "tenants" USING btree ("organization_id","name") WHERE disconnected_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_tenant_a_host" ON "tenants" USING btree (lower(host_name)) WHERE disconnected_at is null and not sandbox and not shares_host;