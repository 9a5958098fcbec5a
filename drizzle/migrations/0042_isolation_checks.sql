CREATE TABLE "isolation_checks" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"duration_ms" integer,
	"problem" text,
	"places" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "one_row" CHECK ("isolation_checks"."id")
);
