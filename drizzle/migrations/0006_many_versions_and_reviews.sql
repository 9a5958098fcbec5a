DROP INDEX "listings_state_index";--> statement-breakpoint
DROP INDEX "reviews_of_a_listing";--> statement-breakpoint
CREATE INDEX "listings_by_title" ON "listings" USING btree ("state","title","id");--> statement-breakpoint
CREATE INDEX "history_of_a_listing" ON "reviews" USING btree ("listing_id","id");--> statement-breakpoint
CREATE INDEX "decisions_about_a_listing" ON "reviews" USING btree ("listing_id","state","decided_at","id");--> statement-breakpoint
CREATE INDEX "reviews_of_a_version" ON "reviews" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "decided_reviews" ON "reviews" USING btree ("kind","decided_at") WHERE decided_by is not null;--> statement-breakpoint
CREATE INDEX "versions_of_a_listing" ON "versions" USING btree ("listing_id","id");--> statement-breakpoint
CREATE INDEX "versions_by_number" ON "versions" USING btree ("listing_id",(string_to_array(number, '.')::numeric[]));--> statement-breakpoint
CREATE INDEX "audit_of_moderators_actors" ON "audit" USING btree ("actor","created_at","id") WHERE chain = 'platform' or action like 'review.%' or action in ('listing.suspend', 'listing.reinstate');