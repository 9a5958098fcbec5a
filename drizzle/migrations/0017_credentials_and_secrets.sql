CREATE TABLE "webhook_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"installation_id" uuid NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "core_credentials" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tenant_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "core_credentials_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "tenants" DROP CONSTRAINT "tenants_core_credential_hash_unique";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "body_hash" text;--> statement-breakpoint
UPDATE "events" SET "body_hash" = encode(sha256(convert_to("body", 'UTF8')), 'hex');--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "body_hash" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_installation_id_installations_id_fk" FOREIGN KEY ("installation_id") REFERENCES "public"."installations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_credentials" ADD CONSTRAINT "core_credentials_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_secrets_installation_id_index" ON "webhook_secrets" USING btree ("installation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_current_webhook_secret" ON "webhook_secrets" USING btree ("installation_id") WHERE expires_at is null;--> statement-breakpoint
CREATE INDEX "core_credentials_tenant_id_index" ON "core_credentials" USING btree ("tenant_id");--> statement-breakpoint
INSERT INTO "core_credentials" ("id", "tenant_id", "hash", "created_at") SELECT gen_random_uuid(), "id", "core_credential_hash", "created_at" FROM "tenants" WHERE "core_credential_hash" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "tenants" DROP COLUMN "core_credential_hash";