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
  problem: z
    .string()
    .nullable()
    .meta({ description: "What is wrong and how to fix it; null if the app is healthy." }),
});
export type DevHealth = z.infer<typeof devHealth>;

const devExit = z.object({
  at: moment,
  code: z.enum(REASON_CODES),
  reason: z.string().meta({ description: 'What happened, such as "The app exited with code 1."' }),
  nextStep: z.string(),
  logTail: z.string().meta({ description: "The end of its log." }),
});
export type DevExit = z.infer<typeof devExit>;

export const devInstance = z.object({
  state: z.enum(["building", "starting", "ready", "failing", "crashed", "stopped"]).meta({
    description:
      "failing: it runs, but GET /health fails. crashed: it ended by itself, or never became ready.",
  }),
  how: z.enum(["container", "process"]),
  what: z.string().meta({ description: "The command, or the image." }),
  port: z.int().nullable(),
  startedAt: moment.nullable(),
  readyAt: moment.nullable(),
  waiting: z
    .string()
    .nullable()
    .meta({ description: "What a start that takes longer than usual waits for; otherwise null." }),
  restarts: z.int(),
  cause: z.string().meta({ description: 'Why it was started last, such as "server.js changed".' }),
  health: z.array(devHealth).meta({ description: "The last 60 checks, oldest first; one each second." }),
  exit: devExit.nullable().meta({ description: "How it ended last; null if it never did." }),
});
export type DevInstance = z.infer<typeof devInstance>;

export const devLogLine = z.object({
  id: z.int(),
  at: moment,
  stream: z.enum(["stdout", "stderr", "build"]).meta({ description: "build: of the image's build." }),
  text: z.string(),
});
export type DevLogLine = z.infer<typeof devLogLine>;

/** A declared route, or a lifecycle event: everything that can be sent to the app. */
const devRoute = z.object({
  route: z.string().meta({
    description:
      "`<kind>:<path>`, which identifies it, such as `autofill:/autofill` or `lifecycle:/_app/install`.",
  }),
  kind: z.enum(ROUTE_KINDS),
  path: z.string(),
  title: z
    .string()
    .meta({ description: "What people call it: a rater's name, an endpoint's title, otherwise the path." }),
  patterns: z.array(z.string()).meta({ description: "Events or operations as the manifest declares them." }),
  names: z
    .array(z.string())
    .meta({ description: "Events or operations that can be sent; empty for kinds without." }),
  methods: z.array(z.string()).meta({ description: "GET or POST, except for endpoints." }),
});
export type DevRoute = z.infer<typeof devRoute>;

export const devManifest = z.object({
  file: z.string().meta({ description: "Absolute path of the file." }),
  name: z.string().meta({ description: "From the last valid manifest, which the emulator uses." }),
  version: z.string(),
  title: z.string(),
  routes: z.array(devRoute),
  settings: z.int(),
  mappingFields: z.int(),
  valid: z.boolean().meta({
    description: "False while the file has errors or can't be read: the last valid manifest stays in use.",
  }),
  unreadable: z
    .string()
    .nullable()
    .meta({ description: "Why the file can't be read, such as that it is missing; null if it was read." }),
  issues: z.array(issueShape).meta({ description: "Of the file as it is now, with lines and columns." }),
  readAt: z.iso.datetime(),
});
export type DevManifest = z.infer<typeof devManifest>;
