CREATE TABLE "audit_resealings" (
	"chain" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"before" text NOT NULL,
	"seal" text NOT NULL
);
