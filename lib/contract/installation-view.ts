/** Installations and their calls, as pages receive them. Times are ISO 8601 text. */
import * as z from "zod";
import { upgradeTarget, upgradeView } from "./configuration-view";
import { healthView } from "./health";
import { REASON_CODES } from "./instance-reasons";
import { LISTING_STATES } from "./listing";
import { INSTALLATION_STATES, ROUTE_KINDS } from "./installation-states";
import { ENDPOINT_ACCESS } from "./manifest-terms";

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
  title: z.string(),
  /** `<org-name>/<app-name>`. */
  name: z.string(),
  publisherName: z.string(),
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
