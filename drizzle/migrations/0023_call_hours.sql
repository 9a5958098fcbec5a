CREATE TABLE "call_hours" (
	"hour" timestamp with time zone NOT NULL,
	"organization_id" uuid NOT NULL,
	"installation_id" uuid NOT NULL,
	"route_id" uuid NOT NULL,
	"test" boolean NOT NULL,
	"event_type" text NOT NULL,
	"latencies" smallint[] NOT NULL,
	"calls" integer[] NOT NULL,
	"failed" integer[] NOT NULL,
	CONSTRAINT "call_hours_pk" PRIMARY KEY("organization_id","hour","installation_id","route_id","test","event_type")
);
--> statement-breakpoint
CREATE INDEX "call_hours_hour_index" ON "call_hours" USING btree ("hour");