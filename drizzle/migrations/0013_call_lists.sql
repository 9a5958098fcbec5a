DROP INDEX "attempts_installation_id_started_at_index";--> statement-breakpoint
CREATE INDEX "attempts_installation_id_id_index" ON "attempts" USING btree ("installation_id","id");--> statement-breakpoint
CREATE INDEX "pending_deliveries" ON "deliveries" USING btree ("installation_id","next_attempt_at") WHERE state = 'PENDING';