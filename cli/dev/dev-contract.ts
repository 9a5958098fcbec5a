/**
 * What the page of `platform-app dev` and the emulator send each other. Free of Node and of frameworks. Times are ISO 8601 text;
 * refusals are `application/problem+json`.
 *
 * | request                                            | body              | answer                                    |
 * | -------------------------------------------------- | ----------------- | ----------------------------------------- |
 * | GET    /api/dev/snapshot                           |                   | `devSnapshot`                             |
 * | GET    /api/dev/stream                             |                   | server-sent events, see `DEV_EVENTS`      |
 * | PUT    /api/dev/settings                           | `devSettings`     | `devSettings`                             |
 * | POST   /api/dev/restart                            |                   | `devInstance`, once it is ready or failed |
 * | GET    /api/dev/sample?customer&route&name&product |                   | `devSample`                               |
 * | POST   /api/dev/calls                              | `devCallInput`    | `devCall`, once the app has answered      |
 * | POST   /api/dev/customers                          | `devNewCustomer`  | `devCustomer`                             |
 * | DELETE /api/dev/customers/<id>                     |                   | 204                                       |
 * | POST   /api/dev/customers/<id>/invent              |                   | `savedRevision`                           |
 * | POST   /api/dev/drills/<name>                      |                   | `devDrill`, once it has ended             |
 *
 * The product's own configuration form works with these, as they are on the platform: GET and PUT
 * /api/installations/<customer id>/configuration, and /api/configuration-checks.
 */
import * as z from "zod";
import { APP_FAULTS } from "@/lib/contract/app-fault";
import { ROUTE_KINDS } from "@/lib/contract/installation-states";
import { REASON_CODES } from "@/lib/contract/instance-reasons";
import { issueShape } from "@/lib/contract/manifest-draft";
import { atMost } from "@/lib/contract/shown-text";

const moment = z.iso.datetime();

/** A declared route, or a lifecycle event: everything that can be sent to the app. */
export const devRoute = z.object({
  /** `<kind>:<path>`, which identifies it, such as `autofill:/autofill` or `lifecycle:/_app/install`. */
  route: z.string(),
  kind: z.enum(ROUTE_KINDS),
  path: z.string(),
  /** What people call it: a rater's name, an endpoint's title, otherwise the path. */
  title: z.string(),
  /** Events or operations as the manifest declares them. */
  patterns: z.array(z.string()),
  /** Events or operations that can be sent; empty for kinds without. */
  names: z.array(z.string()),
  /** GET or POST, except for endpoints. */
  methods: z.array(z.string()),
});
export type DevRoute = z.infer<typeof devRoute>;

export const devManifest = z.object({
  /** Absolute path of the file. */
  file: z.string(),
  /** From the last valid manifest, which the emulator uses. */
  name: z.string(),
  version: z.string(),
  title: z.string(),
  routes: z.array(devRoute),
  settings: z.int(),
  mappingFields: z.int(),
  /** False while the file has errors: the last valid manifest stays in use. */
  valid: z.boolean(),
  /** Of the file as it is now, with lines and columns. */
  issues: z.array(issueShape),
  readAt: moment,
});
export type DevManifest = z.infer<typeof devManifest>;

export const DEV_INSTANCE_STATES = [
  "building",
  "starting",
  "ready",
  "failing",
  "crashed",
  "stopped",
] as const;

export const devHealth = z.object({
  at: moment,
  ok: z.boolean(),
  ms: z.number(),
  /** What is wrong and how to fix it; null if the app is healthy. */
  problem: z.string().nullable(),
});
export type DevHealth = z.infer<typeof devHealth>;

export const devExit = z.object({
  at: moment,
  code: z.enum(REASON_CODES),
  /** What happened, such as "The app exited with code 1." */
  reason: z.string(),
  nextStep: z.string(),
  /** The end of its log. */
  logTail: z.string(),
});
export type DevExit = z.infer<typeof devExit>;

export const devInstance = z.object({
  /** failing: it runs, but GET /health fails. crashed: it ended by itself, or never became ready. */
  state: z.enum(DEV_INSTANCE_STATES),
  how: z.enum(["container", "process"]),
  /** The command, or the image. */
  what: z.string(),
  port: z.int().nullable(),
  startedAt: moment.nullable(),
  readyAt: moment.nullable(),
  restarts: z.int(),
  /** Why it was started last, such as "server.js changed". */
  cause: z.string(),
  /** The last 60 checks, oldest first; one each second. */
  health: z.array(devHealth),
  /** How it ended last; null if it never did. */
  exit: devExit.nullable(),
});
export type DevInstance = z.infer<typeof devInstance>;

export const devCustomer = z.object({
  /** Also the id of its installation. */
  id: z.uuid(),
  name: z.string(),
  tenantHostName: z.string(),
  coreApiUrl: z.string(),
  revision: z.int(),
  /** All required answers are there. */
  configured: z.boolean(),
  /** What is missing or no longer fits, by pointer: `/settings/<name>`, `/mappings/<product>/<field>`. */
  missing: z.array(issueShape),
  products: z.array(z.string()),
});
export type DevCustomer = z.infer<typeof devCustomer>;

export const devNewCustomer = z.strictObject({
  name: z.string().trim().min(1, "Enter a name, such as Lakeside Insurance.").max(60, atMost(60)),
});

/** silent: the core accepts connections and never answers. */
export const CORE_SPEEDS = ["normal", "slow", "silent"] as const;

export const devSettings = z.strictObject({
  core: z.enum(CORE_SPEEDS),
  /** How long a slow core waits before it answers. */
  coreDelayMs: z.int().min(0).max(120_000),
});
export type DevSettings = z.infer<typeof devSettings>;

/** A read of the state API. */
export const devRead = z.object({
  id: z.string(),
  at: moment,
  /** Null if the key belongs to no call. */
  callId: z.string().nullable(),
  customerId: z.uuid().nullable(),
  customerName: z.string().nullable(),
  /** The first and last characters of the key. */
  key: z.string(),
  what: z.enum(["state", "webhook-secrets"]),
  status: z.int(),
  ms: z.number(),
  /** Why the key opened nothing, which the app isn't told; null after 200. */
  refusal: z.string().nullable(),
  /** What was answered, with secrets and the token masked. */
  answered: z.json().nullable(),
});
export type DevRead = z.infer<typeof devRead>;

export const DEV_CALL_SENDERS = ["console", "terminal", "drill", "platform"] as const;

const headers = z.record(z.string(), z.string());

export const devCall = z.object({
  id: z.string(),
  customerId: z.uuid(),
  customerName: z.string(),
  sender: z.enum(DEV_CALL_SENDERS),
  route: z.string(),
  kind: z.enum(ROUTE_KINDS),
  /** The event's type, the operation, or the lifecycle event; null for kinds without. */
  name: z.string().nullable(),
  startedAt: moment,
  /** As the app received it; its state key is shortened. */
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers,
    body: z.string().nullable(),
  }),
  done: z.boolean(),
  /** Null if the app didn't answer, and while the call is in progress. JSON bodies are indented. */
  response: z.object({ status: z.int(), headers, body: z.string().nullable() }).nullable(),
  ms: z.number().nullable(),
  /** Why the call failed on the platform's terms; null if it succeeded. */
  fault: z.enum(APP_FAULTS).nullable(),
  failure: z.string().nullable(),
  /** Where the answer is not as documented. */
  issues: z.array(issueShape),
  /** The state reads with its key. */
  reads: z.array(devRead),
});
export type DevCall = z.infer<typeof devCall>;

export const devCallInput = z.strictObject({
  customerId: z.uuid(),
  /** `route` of a declared route. */
  route: z.string(),
  /** An event's type or an operation. Without it, the first that the route accepts. */
  name: z.string().max(100, atMost(100)).optional(),
  /** Of an endpoint; the first declared one without it. */
  method: z.string().max(10, atMost(10)).optional(),
  /** Of an endpoint: its whole path, with a query. */
  path: z.string().max(2_000, atMost(2_000)).optional(),
  /** A sample of the customer's own product without it. */
  payload: z.json().optional(),
  sender: z.enum(["console", "terminal"]).default("console"),
});
export type DevCallInput = z.input<typeof devCallInput>;

/** JSON text to edit. */
export const devSample = z.object({ payload: z.string() });

export const DRILL_NAMES = [
  "slow-core",
  "expired-key",
  "unknown-key",
  "two-customers",
  "restart",
  "kill",
] as const;
export type DrillName = (typeof DRILL_NAMES)[number];

/** What each drill proves, for people. */
export const DRILLS: Record<DrillName, { title: string; proves: string }> = {
  "slow-core": {
    title: "Slow core",
    proves: "The app answers in time when the core that it calls is slow or doesn't answer.",
  },
  "expired-key": {
    title: "Expired key",
    proves: "The app refuses a request whose state key has expired, and stays healthy.",
  },
  "unknown-key": {
    title: "Unknown key",
    proves: "The app refuses a request with a key that it can't read state with, and stays healthy.",
  },
  "two-customers": {
    title: "Two customers at once",
    proves: "Calls of two customers, mixed together, never get each other's settings.",
  },
  restart: {
    title: "Restart",
    proves: "The app answers the same after a restart: it keeps nothing that calls need.",
  },
  kill: {
    title: "Kill",
    proves: "After kill -9 in the middle of calls, the app starts again and answers.",
  },
};

export const DRILL_STATES = ["idle", "running", "passed", "warned", "failed", "skipped"] as const;

export const devDrill = z.object({
  name: z.enum(DRILL_NAMES),
  state: z.enum(DRILL_STATES),
  startedAt: moment.nullable(),
  ms: z.number().nullable(),
  steps: z.array(z.object({ text: z.string(), ok: z.boolean(), detail: z.string() })),
  /** What the drill concludes; null before its end. */
  verdict: z.string().nullable(),
  /** What to change; null unless it failed or warned. */
  fix: z.string().nullable(),
});
export type DevDrill = z.infer<typeof devDrill>;

export const devLogLine = z.object({
  id: z.int(),
  at: moment,
  /** build: of the image's build. */
  stream: z.enum(["stdout", "stderr", "build"]),
  text: z.string(),
});
export type DevLogLine = z.infer<typeof devLogLine>;

export const devSnapshot = z.object({
  /** Changes when `platform-app dev` is started again. */
  runId: z.string(),
  cliVersion: z.string(),
  folder: z.string(),
  /** What the app gets in PLATFORM_STATE_API. */
  stateApi: z.string(),
  /** Where the answers are kept between runs. */
  answersFile: z.string(),
  manifest: devManifest,
  instance: devInstance,
  settings: devSettings,
  customers: z.array(devCustomer),
  /** Newest first: at most 200 of each. */
  calls: z.array(devCall),
  reads: z.array(devRead),
  /** In the order of `DRILL_NAMES`. */
  drills: z.array(devDrill),
  /** Oldest first: at most 1,000. */
  log: z.array(devLogLine),
});
export type DevSnapshot = z.infer<typeof devSnapshot>;

/**
 * The events of the stream, and the shape of their data. `snapshot` is always the first, and everything after it is a change
 * to it: a call or a read replaces the one with its id, or is new.
 */
export const DEV_EVENTS = {
  snapshot: devSnapshot,
  manifest: devManifest,
  instance: devInstance,
  settings: devSettings,
  customers: z.array(devCustomer),
  call: devCall,
  read: devRead,
  drill: devDrill,
  log: devLogLine,
} as const;
export type DevEventName = keyof typeof DEV_EVENTS;
export type DevEventData = { [Name in DevEventName]: z.infer<(typeof DEV_EVENTS)[Name]> };
