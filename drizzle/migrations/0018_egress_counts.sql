CREATE TABLE "egress_counters" (
	"policy" text NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"since" bigint NOT NULL,
	"connections" bigint DEFAULT 0 NOT NULL,
	"bytes_out" bigint DEFAULT 0 NOT NULL,
	"bytes_in" bigint DEFAULT 0 NOT NULL,
	"refused" bigint DEFAULT 0 NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "egress_counters_pk" PRIMARY KEY("policy","host","port")
);
--> statement-breakpoint
CREATE TABLE "egress_days" (
	"version_id" uuid NOT NULL,
	"day" date NOT NULL,
	"host" text NOT NULL,
	"connections" bigint DEFAULT 0 NOT NULL,
	"bytes_out" bigint DEFAULT 0 NOT NULL,
	"bytes_in" bigint DEFAULT 0 NOT NULL,
	"refused" bigint DEFAULT 0 NOT NULL,
	"reason" text,
	"refused_port" integer,
	"refused_at" timestamp with time zone,
	"refused_since" timestamp with time zone,
	"refused_lately" integer DEFAULT 0 NOT NULL,
	"logged_at" timestamp with time zone,
	"notified_at" timestamp with time zone,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "egress_days_pk" PRIMARY KEY("version_id","day","host")
);
--> statement-breakpoint
CREATE TABLE "egress_watches" (
	"version_id" uuid NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "egress_watches_pk" PRIMARY KEY("version_id","day")
);
--> statement-breakpoint
CREATE INDEX "egress_counters_recorded_at_index" ON "egress_counters" USING btree ("recorded_at");--> statement-breakpoint
CREATE INDEX "egress_days_day_index" ON "egress_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "egress_watches_day_index" ON "egress_watches" USING btree ("day");