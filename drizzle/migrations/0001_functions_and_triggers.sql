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
CREATE FUNCTION "keep_ended_review"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'review % has ended and never changes again', OLD.id USING ERRCODE = 'integrity_constraint_violation';
END $$;--> statement-breakpoint
-- A decision is final whatever code runs: only pending reviews change.
CREATE TRIGGER "ended_reviews_never_change" BEFORE UPDATE ON "reviews"
  FOR EACH ROW WHEN (OLD."state" <> 'PENDING') EXECUTE FUNCTION "keep_ended_review"();--> statement-breakpoint
CREATE FUNCTION "note_instance_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event instance_event_kind;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO instance_events (version_id, instance_id, at, kind) VALUES (NEW.version_id, NEW.id, clock_timestamp(), 'started');
  END IF;
  event := CASE
    WHEN NEW.state = 'READY' AND (TG_OP = 'INSERT' OR OLD.state = 'STARTING') THEN 'ready'
    WHEN NEW.state = 'FAILED' AND (TG_OP = 'INSERT' OR OLD.state NOT IN ('FAILED', 'STOPPED')) THEN 'failed'
    WHEN NEW.state = 'STOPPED' AND (TG_OP = 'INSERT' OR OLD.state NOT IN ('FAILED', 'STOPPED')) THEN 'stopped'
    WHEN TG_OP = 'INSERT' OR NEW.state <> 'READY' THEN NULL
    WHEN NEW.failing_since IS NOT NULL AND OLD.failing_since IS NULL THEN 'failing'
    WHEN NEW.failing_since IS NULL AND OLD.failing_since IS NOT NULL THEN 'recovered'
  END;
  IF event IS NOT NULL THEN
    INSERT INTO instance_events (version_id, instance_id, at, kind, reason_code, reason)
    VALUES (NEW.version_id, NEW.id, clock_timestamp(), event,
            CASE WHEN event IN ('failing', 'failed', 'stopped') THEN NEW.reason_code END,
            CASE WHEN event IN ('failing', 'failed', 'stopped') THEN NEW.reason END);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- What pages show as the history of an app must not depend on which code changed the instance.
CREATE TRIGGER "instance_events_are_noted" AFTER INSERT OR UPDATE OF "state", "failing_since" ON "instances"
  FOR EACH ROW EXECUTE FUNCTION "note_instance_event"();--> statement-breakpoint
-- A claimed delivery changes its row in place: room on the page keeps those updates out of the indexes.
ALTER TABLE "deliveries" SET (fillfactor = 80);
