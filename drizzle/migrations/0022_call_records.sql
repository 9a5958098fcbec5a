ALTER TABLE "attempts" DROP CONSTRAINT "attempts_organization_id_organizations_id_fk";
--> statement-breakpoint
ALTER TABLE "attempts" DROP CONSTRAINT "attempts_installation_id_installations_id_fk";
--> statement-breakpoint
ALTER TABLE "attempts" DROP CONSTRAINT "attempts_route_id_routes_id_fk";
--> statement-breakpoint
ALTER TABLE "attempts" DROP CONSTRAINT "attempts_delivery_id_deliveries_id_fk";
--> statement-breakpoint
DROP INDEX "attempts_delivery_id_index";--> statement-breakpoint
CREATE INDEX "attempts_of_deliveries" ON "attempts" USING btree ("delivery_id") WHERE delivery_id is not null;