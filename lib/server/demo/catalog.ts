import { FJORD, NORTHWIND, PUBLISHER, type DemoOrganization } from "./accounts";
import { ACME_APPS } from "./catalog/acme";
import type { CatalogApp } from "./catalog/catalog-app";
import { FJORD_APPS } from "./catalog/fjord";
import { NORTHWIND_APPS } from "./catalog/northwind";

export interface CatalogPublisher {
  account: DemoOrganization;
  /** What its public page says. */
  description: string;
  /** What each of its listings says of the company. */
  company: string;
  apps: readonly CatalogApp[];
}

/** The publishers of the demo's marketplace, with the apps that are there besides `DEMO_APPS`. */
export const CATALOG: readonly CatalogPublisher[] = [
  {
    account: PUBLISHER,
    description: "Small, sharp tools for insurers. Each does one thing, and you see what it does.",
    company: "Acme Apps builds small, sharp tools for insurers.",
    apps: ACME_APPS,
  },
  {
    account: FJORD,
    description: "Risk data for underwriters: addresses, floods, losses and sanctions, from one team.",
    company: "Fjord Data has collected risk data for underwriters since 2009, from Bergen and Rotterdam.",
    apps: FJORD_APPS,
  },
  {
    account: NORTHWIND,
    description: "Claims, billing and fleets: the parts of insurance that customers notice.",
    company: "Northwind Labs is a team of former adjusters and engineers in Portland.",
    apps: NORTHWIND_APPS,
  },
];
