import { Problem } from "@/lib/contract/problem";
import { sqlStateOf } from "../database/connect";
import type { Platform } from "../platform/platform";

/**
 * Why an instance could not be started, in words for a page: those of the app's fault, or that the log has them. A fault
 * of the database is thrown again: it says nothing of the instance, and the work is taken up again once it is back.
 */
export function startFaultOf(platform: Platform, error: unknown): string {
  if (error instanceof Problem) return error.detail;
  if (sqlStateOf(error) !== undefined) throw error;
  platform.log.error({ err: error }, "an instance could not be started");
  return "The platform could not start the app. Its log says why.";
}
