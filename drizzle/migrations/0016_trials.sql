ALTER TABLE "tenants" ADD COLUMN "trial_by" uuid;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "trial_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_trial_by_users_id_fk" FOREIGN KEY ("trial_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "open_trials" ON "tenants" USING btree ("trial_by") WHERE trial_by is not null and disconnected_at is null;