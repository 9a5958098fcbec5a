CREATE TABLE "part_beats" (
	"id" uuid PRIMARY KEY NOT NULL,
	"part" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
