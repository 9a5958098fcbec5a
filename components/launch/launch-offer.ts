/** What can be launched, for which tenants, and what it asks. */
import type { MappingField, Setting } from "@/lib/contract/manifest";

export interface LaunchProduct {
  name: string;
  /** JSON Schema of its policy data, as the core gave it. */
  schema?: unknown;
  /** Policy data as the core gave it. */
  sample?: unknown;
}

export interface LaunchTenant {
  id: string;
  name: string;
  hostName: string;
  /** On the platform's own core: for Test Launches alone. */
  sandbox?: boolean;
  /** Id of the installation that it has of the app already; it takes no second one. */
  installedAs?: string;
  products: LaunchProduct[];
}

export interface LaunchOffer {
  versionId: string;
  number: string;
  title: string;
  name: string;
  publisherName: string;
  settings: Setting[];
  mappingFields: MappingField[];
  /** What a Test Launch can run, newest first. */
  versions?: { versionId: string; number: string; verified: boolean }[];
  tenants: LaunchTenant[];
}
