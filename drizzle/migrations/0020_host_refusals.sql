CREATE TABLE "host_refusals" (
	"organization_id" uuid NOT NULL,
	"listing_id" uuid NOT NULL,
	"host" text NOT NULL,
	"refused_by" uuid NOT NULL,
	"refused_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "host_refusals_organization_id_listing_id_host_pk" PRIMARY KEY("organization_id","listing_id","host")
);
--> statement-breakpoint
ALTER TABLE "host_refusals" ADD CONSTRAINT "host_refusals_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_refusals" ADD CONSTRAINT "host_refusals_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_refusals" ADD CONSTRAINT "host_refusals_refused_by_users_id_fk" FOREIGN KEY ("refused_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;