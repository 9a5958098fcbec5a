CREATE TABLE "workers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"missing_since" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "leased_worker" integer;--> statement-breakpoint
ALTER TABLE "evidence" ADD COLUMN "leased_worker" integer;--> statement-breakpoint
ALTER TABLE "installations" ADD COLUMN "leased_worker" integer;--> statement-breakpoint
ALTER TABLE "upgrades" ADD COLUMN "leased_worker" integer;--> statement-breakpoint
ALTER TABLE "log_excerpts" ADD COLUMN "leased_worker" integer;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "leased_worker" integer;