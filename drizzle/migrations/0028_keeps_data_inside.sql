-- An app that declares no hosts connects only to its customer's core, which the marketplace can filter by.
CREATE OR REPLACE FUNCTION "describe_connections"(manifest jsonb) RETURNS TABLE ("kinds" text[], "words" text) LANGUAGE sql IMMUTABLE AS $$
  SELECT array_remove(ARRAY[
      CASE WHEN jsonb_path_exists(manifest, '$.core.webhooks[*]') THEN 'webhooks' END,
      CASE WHEN jsonb_path_exists(manifest, '$.core.autofill[*]') THEN 'autofill' END,
      CASE WHEN jsonb_path_exists(manifest, '$.core.externalRaters[*]') THEN 'raters' END,
      CASE WHEN jsonb_path_exists(manifest, '$.core.endpoints[*]') THEN 'endpoints' END,
      CASE WHEN manifest #> '{core,hosts}' = '[]' THEN 'core' END
    ], NULL),
    regexp_replace(raw || ' ' || regexp_replace(raw, '([a-z])([A-Z])', '\1 \2', 'g'), '[^[:alnum:]]+', ' ', 'g')
  FROM left(concat_ws(' ',
    jsonb_path_query_array(manifest, '$.core.webhooks[*].events'),
    jsonb_path_query_array(manifest, '$.core.autofill[*].operations'),
    jsonb_path_query_array(manifest, '$.core.externalRaters[*].name'),
    jsonb_path_query_array(manifest, '$.core.endpoints[*].title')), 100000) AS raw
$$;--> statement-breakpoint
UPDATE "listings" SET "connections" = newest."kinds" FROM (
  SELECT DISTINCT ON ("listing_id") "listing_id", described."kinds"
    FROM "versions", describe_connections("manifest") AS described
   WHERE "verified_at" IS NOT NULL ORDER BY "listing_id", "versions"."id" DESC
) AS newest
WHERE "listings"."id" = newest."listing_id" AND 'core' = ANY (newest."kinds");
