-- Counts the changes to listings, so that searches whose results are known need not be done again until there is one.
CREATE SEQUENCE "marketplace_changes";--> statement-breakpoint
CREATE FUNCTION "count_marketplace_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('marketplace_changes');
  RETURN NULL;
END $$;--> statement-breakpoint
-- At the end of the transaction: whoever reads a number earlier than the change would take old results for new ones.
CREATE CONSTRAINT TRIGGER "changed_listings_are_searched_again" AFTER INSERT OR UPDATE OR DELETE ON "listings"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "count_marketplace_change"();--> statement-breakpoint
CREATE TRIGGER "emptied_listings_are_searched_again" AFTER TRUNCATE ON "listings"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_marketplace_change"();
