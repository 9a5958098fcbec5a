/** What the command line calls its own failures, and the exit status of each. The platform's problems keep their codes. */
import type { ProblemCode } from "../platform/problem";

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  invalid: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

export const CLI_EXIT_STATUS = {
  ALREADY_PUBLISHED: EXIT.failed,
  APP_NOT_READY: EXIT.failed,
  BAD_SAVED_LOGIN: EXIT.failed,
  BUILD_FAILED: EXIT.failed,
  CALL_FAILED: EXIT.failed,
  CRASHED: EXIT.failed,
  DEV_NOT_RUNNING: EXIT.failed,
  DRAFT_CHANGED: EXIT.failed,
  DRILL_FAILED: EXIT.failed,
  FILES_EXIST: EXIT.failed,
  FILE_FAILED: EXIT.failed,
  INCOMPLETE_LISTING: EXIT.failed,
  LOCAL_CHANGES: EXIT.failed,
  NOTHING_REPLAYED: EXIT.failed,
  NOT_IN_REVIEW: EXIT.failed,
  NO_ENGINE: EXIT.failed,
  NO_IMAGE: EXIT.failed,
  STALLED: EXIT.failed,
  WRONG_USAGE: EXIT.usage,
  NOT_LOGGED_IN: EXIT.notAllowed,
  PROFILE_MISMATCH: EXIT.notAllowed,
  UNKNOWN_PROFILE: EXIT.notAllowed,
  INVALID_IMAGE: EXIT.invalid,
  INVALID_MANIFEST: EXIT.invalid,
  WRONG_ARCHITECTURE: EXIT.invalid,
  NOT_REACHABLE: EXIT.unreachable,
  INTERRUPTED: EXIT.interrupted,
} as const;

export type CliFailureCode = keyof typeof CLI_EXIT_STATUS;

const PROBLEM_EXIT_STATUS: Partial<Record<ProblemCode, number>> = {
  NOT_SIGNED_IN: EXIT.notAllowed,
  WRONG_CREDENTIALS: EXIT.notAllowed,
  NOT_ALLOWED: EXIT.notAllowed,
  BAD_MANIFEST: EXIT.invalid,
  BAD_BUNDLE: EXIT.invalid,
  OVERLOADED: EXIT.unreachable,
  DATABASE_UNAVAILABLE: EXIT.unreachable,
  UNAVAILABLE: EXIT.unreachable,
};

/** @param code of the command line or of the platform, which may be newer than this command */
export function exitStatus(code: string): number {
  const known: Record<string, number> = { ...CLI_EXIT_STATUS, ...PROBLEM_EXIT_STATUS };
  return known[code] ?? EXIT.failed;
}
