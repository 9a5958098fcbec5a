/** The running app: its state, its health, how it ended last, and what it writes. */
import * as z from "zod";
import { REASON_CODES } from "@/lib/contract/instance-reasons";

const moment = z.iso.datetime();

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
  state: z.enum(["building", "starting", "ready", "failing", "crashed", "stopped"]),
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

export const devLogLine = z.object({
  id: z.int(),
  at: moment,
  /** build: of the image's build. */
  stream: z.enum(["stdout", "stderr", "build"]),
  text: z.string(),
});
export type DevLogLine = z.infer<typeof devLogLine>;
