CREATE TABLE "call_loads" (
	"process_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"calls" real NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "call_loads_pk" PRIMARY KEY("process_id","version_id")
);
--> statement-breakpoint
CREATE TABLE "scalings" (
	"version_id" uuid PRIMARY KEY NOT NULL,
	"replicas" integer NOT NULL,
	"enough_since" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "most_replicas" integer;--> statement-breakpoint
ALTER TABLE "call_loads" ADD CONSTRAINT "call_loads_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scalings" ADD CONSTRAINT "scalings_version_id_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."versions"("id") ON DELETE cascade ON UPDATE no action;