-- A text as searches compare it: in small letters, without accents, and with full-width letters as ordinary ones.
CREATE FUNCTION "fold_text"(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(lower(normalize($1, NFKD)), '[\u0300-\u036F]', '', 'g');--> statement-breakpoint
-- Its words, and each compound also as one word, so that "email" finds "e-mail".
CREATE FUNCTION "search_words"(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT regexp_replace(folded, '[^[:alnum:]]+', ' ', 'g') || ' ' || coalesce((
    SELECT string_agg(regexp_replace(compound[1], '[^[:alnum:]]', '', 'g'), ' ')
    FROM regexp_matches(folded, '[[:alnum:]]+(?:[-\u2010''\u2019][[:alnum:]]+)+', 'g') AS compound
  ), '')
  FROM (SELECT fold_text($1) AS folded) AS text
);--> statement-breakpoint
CREATE OR REPLACE FUNCTION "store_search_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "search_terms" ("word")
  SELECT DISTINCT word FROM regexp_split_to_table(
    search_words(concat_ws(' ', NEW."title", NEW."app_name", NEW."publisher", NEW."tagline", NEW."connection_words")),
    '[^[:alnum:]]+') AS word
  WHERE length(word) BETWEEN 3 AND 40 AND word ~ '[[:alpha:]]' ORDER BY word ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
-- The indexes of the four columns go with them.
ALTER TABLE "listings" DROP COLUMN "search_names", DROP COLUMN "search_tagline", DROP COLUMN "search_connections", DROP COLUMN "search";--> statement-breakpoint
ALTER TABLE "listings"
  ADD COLUMN "search_names" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', search_words(title || ' ' || app_name || ' ' || publisher)) || to_tsvector('english', search_words(title || ' ' || app_name || ' ' || publisher))) STORED,
  ADD COLUMN "search_tagline" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', search_words(title || ' ' || app_name || ' ' || publisher)) || to_tsvector('english', search_words(title || ' ' || app_name || ' ' || publisher)) || to_tsvector('english', search_words(tagline))) STORED,
  ADD COLUMN "search_connections" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', search_words(title || ' ' || app_name || ' ' || publisher)) || to_tsvector('english', search_words(title || ' ' || app_name || ' ' || publisher)) || to_tsvector('english', search_words(tagline)) || to_tsvector('english', connection_words)) STORED,
  ADD COLUMN "search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', search_words(title || ' ' || app_name || ' ' || publisher)) || to_tsvector('english', search_words(title || ' ' || app_name || ' ' || publisher)) || to_tsvector('english', search_words(tagline)) || to_tsvector('english', connection_words) || to_tsvector('english', search_words(coalesce(about ->> 'product', '') || ' ' || coalesce(about ->> 'offering', '') || ' ' || coalesce(about ->> 'company', '')))) STORED;--> statement-breakpoint
CREATE INDEX "listings_search_names" ON "listings" USING gin ("search_names","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_tagline" ON "listings" USING gin ("search_tagline","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_connections" ON "listings" USING gin ("search_connections","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_texts" ON "listings" USING gin ("search","category","connections") WHERE state = 'PUBLIC';