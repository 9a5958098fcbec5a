CREATE TYPE "public"."configuration_check_state" AS ENUM('QUEUED', 'STARTING', 'CALLING', 'ENDED', 'CANCELED');--> statement-breakpoint
CREATE TABLE "configuration_checks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"tenant_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"installation_id" uuid,
	"state" "configuration_check_state" DEFAULT 'QUEUED' NOT NULL,
	"settings" jsonb,
	"mappings" jsonb,
	"result" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"leased_by" uuid,
	"leased_worker" integer
);
--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "configuration_checks" ADD CONSTRAINT "configuration_checks_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "open_configuration_checks" ON "configuration_checks" USING btree ("created_at") WHERE state <> 'ENDED';--> statement-breakpoint
CREATE INDEX "configuration_checks_version_id_index" ON "configuration_checks" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "configuration_checks_user_id_index" ON "configuration_checks" USING btree ("user_id");