CREATE TABLE "restorations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"backup_id" uuid NOT NULL,
	"backed_up_at" timestamp with time zone NOT NULL,
	"restored_at" timestamp with time zone DEFAULT now() NOT NULL,
	"released_at" timestamp with time zone
);
