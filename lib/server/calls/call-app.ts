/** Calls an app with JSON, one call at a time. Endpoints stream instead: see `lib/server/endpoints/`. */
import type { Platform } from "../platform/platform";
import {
  describeCall,
  describeStart,
  openCall,
  sendCall,
  type AppCall,
  type FinishedCall,
} from "./call-steps";
import { recordsBodies } from "./queries";
import { recordAttempts } from "./record-queries";

/**
 * Records the attempt, sends it with its own state key, and records the answer. An app's failure is in the result; only
 * database errors are thrown. The caller gets the answer unchanged.
 */
export async function callApp(platform: Platform, call: Omit<AppCall, "recorded">): Promise<FinishedCall> {
  const recorded = call.test === true || (await recordsBodies(platform.pool, call.installationId));
  const open = openCall(platform, { ...call, recorded });
  // Committed before the call: it may take long, and a page shows it meanwhile.
  await recordAttempts(platform.db, [await describeStart(platform, open)]);
  const finished = await sendCall(open);
  await recordAttempts(platform.db, [await describeCall(platform, open, finished)]);
  return finished;
}
