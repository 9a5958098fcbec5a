CREATE TABLE "pending_sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"requester" text NOT NULL,
	"content" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "pending_sign_ups_email_index" ON "pending_sign_ups" USING btree ("email");--> statement-breakpoint
CREATE INDEX "pending_sign_ups_expires_at_index" ON "pending_sign_ups" USING btree ("expires_at");--> statement-breakpoint
INSERT INTO "pending_sign_ups" ("id", "email", "requester", "content", "expires_at") SELECT "id", "content" ->> 'email', '', "content", "expires_at" FROM "account_links" WHERE "kind" = 'SIGN_UP';--> statement-breakpoint
UPDATE "account_links" SET "content" = jsonb_build_object('email', "content" ->> 'email') WHERE "kind" = 'SIGN_UP';
