/** The running app: its state, its health, how it ended last, and what it writes. */
import * as z from "zod";
import { ROUTE_KINDS } from "@/lib/contract/catalog/installation-states";
import { issueShape } from "@/lib/contract/catalog/manifest-draft";
import { REASON_CODES } from "@/lib/contract/runtime/instance-reasons";

const moment = z.iso.datetime();

const devHealth = z.object({
  at: moment,
  ok: z.boolean(),
  ms: z.number(),
  /** What is wrong and how to fix it; null if the app is healthy. */
  problem: z.string().nullable(),
});
export type DevHealth = z.infer<typeof devHealth>;

const devExit = z.object({
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
  state: z.enum(["building", "starting", "ready", "failing", "crashed", "stopped"]),
  how: z.enum(["container", "process"]),
  /** The command, or the image. */
  what: z.string(),
  port: z.int().nullable(),
  startedAt: moment.nullable(),
  readyAt: moment.nullable(),
  /** What a start that takes longer than usual waits for; otherwise null. */
  waiting: z.string().nullable(),
  restarts: z.int(),
  /** Why it was started last, such as "server.js changed". */
  cause: z.string(),
  /** The last 60 checks, oldest first; one each second. */
  health: z.array(devHealth),
  /** How it ended last; null if it never did. */
  exit: devExit.nullable(),
});
export type DevInstance = z.infer<typeof devInstance>;

export const devLogLine = z.object({
  id: z.int(),
  at: moment,
  /** build: of the image's build. */
  stream: z.enum(["stdout", "stderr", "build"]),
  text: z.string(),
});
export type DevLogLine = z.infer<typeof devLogLine>;

/** A declared route, or a lifecycle event: everything that can be sent to the app. */
const devRoute = z.object({
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
  /** False while the file has errors or can't be read: the last valid manifest stays in use. */
  valid: z.boolean(),
  /** Why the file can't be read, such as that it is missing; null if it was read. */
  unreadable: z.string().nullable(),
  /** Of the file as it is now, with lines and columns. */
  issues: z.array(issueShape),
  readAt: z.iso.datetime(),
});
export type DevManifest = z.infer<typeof devManifest>;
