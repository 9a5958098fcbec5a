CREATE EXTENSION IF NOT EXISTS "pg_trgm";--> statement-breakpoint
CREATE TABLE "search_terms" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
DROP INDEX "listings_search";--> statement-breakpoint
DROP INDEX "versions_search";--> statement-breakpoint
ALTER TABLE "listings" drop column "search";--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "public_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "publisher" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "connections" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "connection_words" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "search_names" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g'))) STORED;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "search_tagline" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(tagline, '[^[:alnum:]]+', ' ', 'g'))) STORED;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "search_connections" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(tagline, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', connection_words)) STORED;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(title || ' ' || app_name || ' ' || publisher, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', regexp_replace(tagline, '[^[:alnum:]]+', ' ', 'g')) || to_tsvector('english', connection_words) || to_tsvector('english', regexp_replace(coalesce(about ->> 'product', '') || ' ' || coalesce(about ->> 'offering', '') || ' ' || coalesce(about ->> 'company', ''), '[^[:alnum:]]+', ' ', 'g'))) STORED;--> statement-breakpoint
CREATE INDEX "search_terms_similar" ON "search_terms" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "listings_newest" ON "listings" USING btree ("public_since","id") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_newest_of_a_category" ON "listings" USING btree ("category","public_since","id") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_by_id" ON "listings" USING btree ("id") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_names" ON "listings" USING gin ("search_names");--> statement-breakpoint
CREATE INDEX "listings_search_tagline" ON "listings" USING gin ("search_tagline");--> statement-breakpoint
CREATE INDEX "listings_search_connections" ON "listings" USING gin ("search_connections");--> statement-breakpoint
CREATE INDEX "listings_search_texts" ON "listings" USING gin ("search");--> statement-breakpoint
ALTER TABLE "versions" DROP COLUMN "search";--> statement-breakpoint
-- Cut, because a manifest may be larger than PostgreSQL's full text allows.
CREATE FUNCTION "describe_connections"(manifest jsonb) RETURNS TABLE ("kinds" text[], "words" text) LANGUAGE sql IMMUTABLE AS $$
  SELECT array_remove(ARRAY[
      CASE WHEN jsonb_path_exists(manifest, '$.core.webhooks[*]') THEN 'webhooks' END,
      CASE WHEN jsonb_path_exists(manifest, '$.core.autofill[*]') THEN 'autofill' END,
      CASE WHEN jsonb_path_exists(manifest, '$.core.externalRaters[*]') THEN 'raters' END,
      CASE WHEN jsonb_path_exists(manifest, '$.core.endpoints[*]') THEN 'endpoints' END
    ], NULL),
    regexp_replace(raw || ' ' || regexp_replace(raw, '([a-z])([A-Z])', '\1 \2', 'g'), '[^[:alnum:]]+', ' ', 'g')
  FROM left(concat_ws(' ',
    jsonb_path_query_array(manifest, '$.core.webhooks[*].events'),
    jsonb_path_query_array(manifest, '$.core.autofill[*].operations'),
    jsonb_path_query_array(manifest, '$.core.externalRaters[*].name'),
    jsonb_path_query_array(manifest, '$.core.endpoints[*].title')), 100000) AS raw
$$;--> statement-breakpoint
-- What the marketplace searches follows from other rows, whatever code changes them, and in the same transaction.
CREATE FUNCTION "follow_verified_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "listings" SET
    "connections" = coalesce(newest."kinds", '{}'), "connection_words" = coalesce(newest."words", '')
  FROM (SELECT NEW."listing_id") AS changed
  LEFT JOIN LATERAL (
    SELECT described.* FROM "versions", describe_connections("manifest") AS described
    WHERE "listing_id" = NEW."listing_id" AND "verified_at" IS NOT NULL ORDER BY "versions"."id" DESC LIMIT 1
  ) AS newest ON true
  WHERE "listings"."id" = NEW."listing_id";
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "verified_versions_are_searched" AFTER UPDATE OF "verified_at" ON "versions"
  FOR EACH ROW EXECUTE FUNCTION "follow_verified_version"();--> statement-breakpoint
CREATE TRIGGER "new_verified_versions_are_searched" AFTER INSERT ON "versions"
  FOR EACH ROW WHEN (NEW."verified_at" IS NOT NULL) EXECUTE FUNCTION "follow_verified_version"();--> statement-breakpoint
CREATE FUNCTION "prepare_listing"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "slug" || ' ' || "name" INTO NEW."publisher" FROM "organizations" WHERE "id" = NEW."organization_id";
  IF NEW."state" = 'PUBLIC' AND NEW."public_since" IS NULL THEN
    NEW."public_since" := date_trunc('milliseconds', now());
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "listings_know_their_publisher" BEFORE INSERT OR UPDATE OF "state", "publisher" ON "listings"
  FOR EACH ROW EXECUTE FUNCTION "prepare_listing"();--> statement-breakpoint
CREATE FUNCTION "store_search_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "search_terms" ("word")
  SELECT DISTINCT word FROM regexp_split_to_table(
    lower(concat_ws(' ', NEW."title", NEW."app_name", NEW."publisher", NEW."tagline", NEW."connection_words")),
    '[^[:alnum:]]+') AS word
  WHERE length(word) BETWEEN 3 AND 40 AND word ~ '[[:alpha:]]' ORDER BY word ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "public_words_correct_typos" AFTER INSERT OR UPDATE OF "state", "title", "publisher", "tagline", "connection_words" ON "listings"
  FOR EACH ROW WHEN (NEW."state" = 'PUBLIC') EXECUTE FUNCTION "store_search_terms"();--> statement-breakpoint
CREATE FUNCTION "follow_organization"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "listings" SET "publisher" = '' WHERE "organization_id" = NEW."id";
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "listings_follow_their_publisher" AFTER UPDATE OF "slug", "name" ON "organizations"
  FOR EACH ROW EXECUTE FUNCTION "follow_organization"();--> statement-breakpoint
UPDATE "listings" SET "public_since" = date_trunc('milliseconds', coalesce(
  (SELECT min("decided_at") FROM "reviews" WHERE "listing_id" = "listings"."id" AND "state" = 'APPROVED'), "created_at"))
WHERE "state" IN ('PUBLIC', 'SUSPENDED');--> statement-breakpoint
UPDATE "listings" SET "publisher" = '';--> statement-breakpoint
UPDATE "versions" SET "verified_at" = "verified_at" WHERE "verified_at" IS NOT NULL;
