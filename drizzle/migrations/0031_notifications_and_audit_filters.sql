ALTER TABLE "notifications" ADD COLUMN "lasts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_of_chain" ON "audit" USING btree ("chain","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_of_actor" ON "audit" USING btree ("chain","actor","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_of_action" ON "audit" USING btree ("chain","action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_of_subject" ON "audit" USING btree ("chain","subject","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_of_moderators" ON "audit" USING btree ("created_at","id") WHERE chain = 'platform' or action like 'review.%' or action in ('listing.suspend', 'listing.reinstate');--> statement-breakpoint
CREATE INDEX "lasting_notifications" ON "notifications" USING btree ("kind","subject") WHERE lasts;