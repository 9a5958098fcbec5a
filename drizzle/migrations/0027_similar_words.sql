DROP INDEX "search_terms_similar";--> statement-breakpoint
CREATE INDEX "search_terms_begin" ON "search_terms" USING btree ("word" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "search_terms_similar" ON "search_terms" USING gin ("word" gin_trgm_ops,char_length("word"));