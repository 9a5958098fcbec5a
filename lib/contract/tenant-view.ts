/** Tenants, as pages receive them. Times are ISO 8601 text. */
import type { ConnectionTest } from "./core";
import type { HealthView } from "./health";
import type { InstallationState } from "./installation-states";

/** The result of the last connection test; tenants can be filtered by it. */
export const CONNECTION_STATES = ["connected", "failed", "untested"] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

export interface TenantView {
  id: string;
  name: string;
  hostName: string;
  coreApiUrl: string;
  /** The platform's own core for Test Launches. Cannot be edited. */
  sandbox: boolean;
  connectedAt: string;
  /** The credential for the core. Never contains a value, a length or a mask. */
  credential: { configured: false } | { configured: true; updatedAt: string; by: string };
  /** With these, the core signs in to the gateway. Newest first. */
  coreCredentials: CoreCredentialView[];
  /** The last connection test; null if there was none. */
  connection: ConnectionTest | null;
  products: TenantProduct[];
  /** Without uninstalled ones, by title. */
  installations: TenantInstallation[];
}

/** A credential of the tenant's core that works now. Only its hash is stored. */
export interface CoreCredentialView {
  id: string;
  createdAt: string;
  /** When its overlap ends; null for the current one. */
  expiresAt: string | null;
  /** Up to a minute behind; null if it was never used. */
  lastUsedAt: string | null;
}

/** A tenant in the list. */
export interface ListedTenant extends Pick<
  TenantView,
  "id" | "name" | "hostName" | "coreApiUrl" | "sandbox" | "connection"
> {
  /** The number of products. */
  products: number;
}

export interface TenantProduct {
  name: string;
  refreshedAt: string;
  /** When the schema last changed. */
  changedAt: string;
  /** JSON Schema of its policy data, as the core returned it. */
  schema: unknown;
  /** Policy data as the core returned it; null if it returned none. */
  sample: unknown;
}

export interface TenantInstallation {
  id: string;
  title: string;
  version: string;
  state: InstallationState;
  health: HealthView;
  test: boolean;
}
