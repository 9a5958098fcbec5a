/** How the page of a tenant gets it. Moments are ISO 8601 text. */
import type { ConnectionTest } from "./core";
import type { InstallationState } from "./installation";

/** What the last test of a tenant's connection said, as the list of tenants is filtered by it. */
export const CONNECTION_STATES = ["connected", "failed", "untested"] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

export interface TenantView {
  id: string;
  name: string;
  hostName: string;
  coreApiUrl: string;
  /** The platform's own core, for Test Launches: not to be edited. */
  sandbox: boolean;
  connectedAt: string;
  /** What the core asks of the platform beside its token: never a value, a length or a mask. */
  credential: { configured: false } | { configured: true; updatedAt: string; by: string };
  /** The last test of the connection; null when there was none. */
  connection: ConnectionTest | null;
  products: TenantProduct[];
  /** Those that are not uninstalled, by title. */
  installations: TenantInstallation[];
}

/** As the list has it. */
export interface ListedTenant extends Pick<
  TenantView,
  "id" | "name" | "hostName" | "coreApiUrl" | "sandbox" | "connection"
> {
  /** How many the core has. */
  products: number;
}

export interface TenantProduct {
  name: string;
  refreshedAt: string;
  /** When the schema last became another. */
  changedAt: string;
  /** JSON Schema of its policy data, as the core gave it. */
  schema: unknown;
  /** Policy data as the core gave it; null when it gave none. */
  sample: unknown;
}

export interface TenantInstallation {
  id: string;
  title: string;
  version: string;
  state: InstallationState;
  test: boolean;
}
