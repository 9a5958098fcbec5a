/** What runs, or is left, although nothing wants it. */

/** An instance that is live, or ended a short time ago. */
export interface Owner {
  versionId: string;
  runtime: string;
  handle: string | null;
  state: "STARTING" | "READY" | "FAILED" | "STOPPED";
  /** Its calls in progress finish on the process that it was, while new ones go to its container. */
  moved: boolean;
  /** Null if it is live. */
  secondsSinceEnd: number | null;
}

interface Candidate {
  runtime: string;
  handle: string;
  /** Of automatic checks, their id. */
  versionId: string;
}

/** Whoever ends an instance stores the end of its log, and gives the app 10 seconds. */
const ENDING_SECONDS = 15;

/** Longer than a move waits for calls in progress, and than it then gives the process. */
export const MOVING_SECONDS = 90;

/**
 * Whether something of ours on a runtime belongs to nobody. `owners` and `checking` must have been read after it was found: a
 * start is recorded before anything is created for it.
 * @param checking automatic checks that are running; they start instances of their own
 */
export function isStray(found: Candidate, owners: readonly Owner[], checking: ReadonlySet<string>): boolean {
  if (checking.has(found.versionId)) return false;
  return !owners.some((owner) => owns(owner, found));
}

function owns(owner: Owner, { handle, versionId, runtime }: Candidate): boolean {
  if (owner.secondsSinceEnd !== null)
    return owner.handle === handle && owner.secondsSinceEnd < (owner.moved ? MOVING_SECONDS : ENDING_SECONDS);
  if (owner.handle === handle) return true;
  if (owner.versionId !== versionId) return false;
  // A start whose handle is not stored yet, or a move to another runtime, which has no row before it is done.
  return owner.state === "STARTING" || owner.runtime !== runtime;
}
