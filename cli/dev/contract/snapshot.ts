/**
 * What the page of `platform-app dev` and the emulator send each other: the requests, and the snapshot with its changes. Every
 * other shape is in the file of its concept. Free of Node and of frameworks. Times are ISO 8601 text; refusals are
 * `application/problem+json`.
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
import { devInstance, devLogLine, devManifest } from "./app";
import { devCall, devCustomer, devRead } from "./calls";
import { devDrill, devSettings } from "./drills";

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
