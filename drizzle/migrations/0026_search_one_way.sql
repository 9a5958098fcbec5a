-- As searches compare texts: `foldText` of lib/domain/platform/text.ts does the same. Letters and small letters are those of Unicode, also
-- in a database whose own locale is C, by the first of these collations that this PostgreSQL has.
DO $$
DECLARE
  unicode text := (
    SELECT collname FROM unnest(ARRAY['pg_unicode_fast', 'pg_c_utf8', 'und-x-icu', 'C.utf8', 'default'])
      WITH ORDINALITY AS known (name, at)
    JOIN pg_collation ON collname = name AND collencoding IN (-1, 6) AND collnamespace = 'pg_catalog'::regnamespace
    ORDER BY at LIMIT 1
  );
BEGIN
  EXECUTE format($function$
    CREATE FUNCTION "fold_letters"(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $body$
    DECLARE
      folded text := regexp_replace(
        lower(normalize(replace($1, U&'\00B4', ''''), NFKD) COLLATE %1$I),
        '[\u00AD\u0300-\u036F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u1AB0-\u1AFF\u1DC0-\u1DFF\u200B-\u200F\u202A-\u202E\u2060-\u206F\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F\uFEFF\uFFF0-\uFFF8\U000E0000-\U000E0FFF]',
        '', 'g');
      dashes CONSTANT text := '[\u058A\u05BE\u1806\u2010-\u2015\u2043\u2053\u2212\u2E17\u2E1A\u2E3A\u2E3B\u2E40\u301C\u3030\u30A0]';
      apostrophes CONSTANT text := '[\u02B9-\u02BC\u055A\u2018\u2019\u201B\u2032\u2035]';
    BEGIN
      IF folded ~ dashes THEN folded := regexp_replace(folded, dashes, '-', 'g'); END IF;
      IF folded ~ apostrophes THEN folded := regexp_replace(folded, apostrophes, '''', 'g'); END IF;
      -- By far the slowest step.
      IF folded ~ '[øłđðħŧŋƀǥɨƶıςßæœþ]' THEN
        folded := translate(folded, 'øłđðħŧŋƀǥɨƶıς', 'olddhtnbgiziσ');
        folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      END IF;
      RETURN folded;
    END $body$
  $function$, unicode);
  -- Not strict, so that it can be inlined: ASCII, which most texts are, costs no more than without folding.
  CREATE OR REPLACE FUNCTION "fold_text"(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN octet_length($1) = length($1) THEN lower($1) ELSE fold_letters($1) END;
  EXECUTE format($function$
    CREATE OR REPLACE FUNCTION "search_words"(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (
      SELECT regexp_replace(folded COLLATE %1$I, '[^[:alnum:]]+', ' ', 'g') || ' ' || coalesce((
        SELECT string_agg(regexp_replace(compound[1] COLLATE %1$I, '[^[:alnum:]]', '', 'g'), ' ')
        FROM regexp_matches(folded COLLATE %1$I, '[[:alnum:]]+(?:[-'']+[[:alnum:]]+)+', 'g') AS compound
      ), '')
      FROM (SELECT fold_text($1) AS folded) AS text
    )
  $function$, unicode);
  EXECUTE format($function$
    CREATE OR REPLACE FUNCTION "store_search_terms"() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      INSERT INTO "search_terms" ("word")
      SELECT DISTINCT word FROM regexp_split_to_table(
        search_words(concat_ws(' ', NEW."title", NEW."app_name", NEW."publisher", NEW."tagline", NEW."connection_words")), ' ') AS word
      WHERE length(word) BETWEEN 3 AND 40 AND word COLLATE %1$I ~ '[[:alpha:]]' ORDER BY word ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $body$
  $function$, unicode);
END $$;--> statement-breakpoint
-- Writes the words of listings again that may have others now.
UPDATE "listings" SET "title" = "title", "tagline" = "tagline", "publisher" = "publisher", "about" = "about"
WHERE octet_length("title" || "app_name" || "publisher" || "tagline" || "about"::text) <> length("title" || "app_name" || "publisher" || "tagline" || "about"::text)
  OR "title" || ' ' || "app_name" || ' ' || "publisher" || ' ' || "tagline" || ' ' || "about"::text ~ '[-''][-'']';
