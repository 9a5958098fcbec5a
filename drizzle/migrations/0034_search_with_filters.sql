CREATE EXTENSION IF NOT EXISTS "btree_gin";--> statement-breakpoint
DROP INDEX "listings_search_names";--> statement-breakpoint
DROP INDEX "listings_search_tagline";--> statement-breakpoint
DROP INDEX "listings_search_connections";--> statement-breakpoint
DROP INDEX "listings_search_texts";--> statement-breakpoint
CREATE INDEX "listings_search_names" ON "listings" USING gin ("search_names","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_tagline" ON "listings" USING gin ("search_tagline","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_connections" ON "listings" USING gin ("search_connections","category","connections") WHERE state = 'PUBLIC';--> statement-breakpoint
CREATE INDEX "listings_search_texts" ON "listings" USING gin ("search","category","connections") WHERE state = 'PUBLIC';
