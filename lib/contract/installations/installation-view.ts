/** Installations and their calls, as pages receive them. Times are ISO 8601 text. */
import * as z from "zod";
import { INSTALLATION_STATES, type InstallationState, ROUTE_KINDS } from "../catalog/installation-states";
import { LISTING_STATES } from "../catalog/listing";
import { healthView, type HealthView } from "../insight/health";
import type { ConnectionTest } from "../platform/core";
import { ENDPOINT_ACCESS } from "../platform/manifest-terms";
import { REASON_CODES } from "../runtime/instance-reasons";
import { termsView, upgradeTarget, upgradeView } from "./configuration-view";

const moment = z.iso.datetime();

export const routeView = z.object({
  routeId: z.uuid(),
  kind: z.enum(ROUTE_KINDS),
  path: z.string(),
  name: z.string(),
  patterns: z.array(z.string()),
  /** The URL that the core calls. */
  address: z.string(),
  /** The app returned 410, so it receives no more events here. */
  ended: z.boolean(),
});
export type RouteView = z.infer<typeof routeView>;

export const endpointView = z.object({
  routeId: z.uuid(),
  path: z.string(),
  methods: z.array(z.string()),
  title: z.string(),
  access: z.enum(ENDPOINT_ACCESS),
  /** The URL that callers use; ends with `*` if the path does. */
  address: z.string(),
  /** False for a public endpoint that the customer has not opened, or has closed. */
  open: z.boolean(),
});
export type EndpointView = z.infer<typeof endpointView>;

export const installationView = z.object({
  id: z.uuid(),
  state: z.enum(INSTALLATION_STATES),
  reason: z.string().nullable(),
  /** The code of `reason` if the app could not be started; null in other states and for failed hooks. */
  reasonCode: z.enum(REASON_CODES).nullable(),
  /** What pages show instead of the state: a running installation may be degraded or down. */
  health: healthView,
  /** Set once its install hook succeeded: a later failure is not the first launch's. */
  installedAt: moment.nullable(),
  test: z.boolean(),
  /** When the trial ends; null for an installation that is none. A trial is a Test Launch, too. */
  trialEndsAt: moment.nullable(),
  /** Where the organization runs the trial's app for real, and whether it has a tenant left for it. Null for what is no trial. */
  used: z.object({ installed: z.array(z.object({ id: z.uuid() })), hasOtherTenant: z.boolean() }).nullable(),
  title: z.string(),
  /** `<org-name>/<app-name>`. */
  name: z.string(),
  publisherName: z.string(),
  /** How to reach the publisher about this app: a URL, and an email address. Empty texts for none. */
  support: z.object({ link: z.string(), address: z.string() }),
  /** `suspension`: why a moderator suspended it; null otherwise. */
  listing: z.object({ state: z.enum(LISTING_STATES), suspension: z.string().nullable() }),
  version: z.string(),
  imageDigest: z.string(),
  tenant: z.object({
    id: z.uuid(),
    name: z.string(),
    hostName: z.string(),
    coreApiUrl: z.string(),
    sandbox: z.boolean(),
  }),
  createdAt: moment,
  createdBy: z.string(),
  updatedAt: moment,
  /** The instance that runs its version, or ran it last; null before the first start. */
  instance: z
    .object({
      runtime: z.string(),
      /** Whether a process is about to run in a container; null if that isn't known yet. Always false for anything that isn't a process. */
      moving: z.boolean().nullable(),
      state: z.string(),
      reasonCode: z.enum(REASON_CODES).nullable(),
      reason: z.string().nullable(),
      readyAt: moment.nullable(),
      /** How often instances of the version failed in the last hour. */
      failures: z.number(),
      /** Kept when the app is restarted. */
      lastFailure: z
        .object({
          at: moment,
          code: z.enum(REASON_CODES).nullable(),
          /** 128 plus the number of the signal that killed it; null if it did not exit by itself. */
          exitCode: z.number().nullable(),
          reason: z.string(),
        })
        .nullable(),
      /** The end of the log of the instance that ended last. Only for members of the publisher who may read it. */
      log: z.object({ at: moment, text: z.string() }).nullable(),
    })
    .nullable(),
  configuration: z.object({
    revision: z.number(),
    savedAt: moment,
    savedBy: z.string(),
    settings: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        sensitive: z.boolean(),
        /** The shown value, such as a Select's text. Absent for a sensitive or skipped setting. */
        shown: z.string().optional(),
        configured: z.boolean(),
        updatedAt: moment.optional(),
        by: z.string().optional(),
      }),
    ),
    mappings: z.array(z.object({ productName: z.string(), fields: z.record(z.string(), z.string()) })),
    /** In the manifest's order. */
    mappingFields: z.array(z.object({ name: z.string(), title: z.string(), required: z.boolean() })),
  }),
  /** Without endpoints. */
  routes: z.array(routeView),
  /** In the order of their paths. Their addresses are below `routeBase`, which hooks receive as `route`. */
  endpoints: z.array(endpointView),
  routeBase: z.string(),
  /** The newest verified version (for a Test Launch: the newest) above the current one; null if there is none. */
  /** The page with the log of its version; null for everybody but members of the app's publisher who may read it. */
  logsPath: z.string().nullable(),
  upgradeTo: upgradeTarget.nullable(),
  /** Terms of the publisher that were not accepted for it yet; null if there are none. It keeps running. */
  newTerms: termsView.nullable(),
  /** What a pilot can upgrade to before its review. */
  pilotTo: upgradeTarget.optional(),
  /** It runs a pilot version. */
  pilot: z
    .object({
      /** No moderator will verify it, or the organization is no pilot anymore. */
      ended: z.enum(["REFUSED", "LEFT"]).nullable(),
      /** The version to move to instead. */
      verified: upgradeTarget.nullable(),
    })
    .optional(),
  /** The version it ran before; null if it cannot be rolled back. */
  rollbackTo: upgradeTarget.nullable(),
  /** The newest upgrade or rollback; null if there was none. */
  upgrade: upgradeView.nullable(),
  /** Products whose schema changed since their mapping was saved, with mapped fields that the schema no longer has. */
  changedProducts: z.array(z.object({ name: z.string(), changedAt: moment, missing: z.array(z.string()) })),
});
export type InstallationView = z.infer<typeof installationView>;

/** Result of a test call: its attempt, or for an event its delivery to the route; null if that doesn't receive the type. */
export const sentTestCall = z.discriminatedUnion("sent", [
  z.object({ sent: z.literal("call"), attemptId: z.uuid() }),
  z.object({
    sent: z.literal("event"),
    eventId: z.string(),
    deliveries: z.number(),
    deliveryId: z.uuid().nullable(),
  }),
]);
export type SentTestCall = z.infer<typeof sentTestCall>;

/** A webhook route that receives a test event. */
const recipient = z.object({
  routeId: z.uuid(),
  path: z.string(),
  installationId: z.uuid(),
  title: z.string(),
  /** Of a Test Launch. */
  test: z.boolean(),
});
export type Recipient = z.infer<typeof recipient>;
export const recipientList = z.object({ recipients: z.array(recipient) });

// Tenants, as pages receive them. Times are ISO 8601 text.

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
  /** When the trial that it was made for ends; null for any other tenant. */
  trialEndsAt: string | null;
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

interface TenantInstallation {
  id: string;
  title: string;
  version: string;
  state: InstallationState;
  health: HealthView;
  test: boolean;
}
