/** What runs, or is left, although nothing wants it. */

/** An instance that is live, or ended a short time ago. */
export interface Owner {
  versionId: string;
  handle: string | null;
  state: "STARTING" | "READY" | "DRAINING" | "FAILED" | "STOPPED";
  /** Null if it is live. */
  secondsSinceEnd: number | null;
}

interface Candidate {
  handle: string;
  /** Of automatic checks, their id. */
  versionId: string;
}

/** Whoever ends an instance stores the end of its log, and gives the app 10 seconds. */
export const ENDING_SECONDS = 15;

/**
 * Whether something of ours on a runtime belongs to nobody. `owners` and `checking` must have been read after it was found: a
 * start is recorded before anything is created for it.
 * @param checking automatic checks that are running; they start instances of their own
 */
export function isStray(found: Candidate, owners: readonly Owner[], checking: ReadonlySet<string>): boolean {
  if (checking.has(found.versionId)) return false;
  return !owners.some((owner) => owns(owner, found));
}

function owns(owner: Owner, { handle, versionId }: Candidate): boolean {
  if (owner.handle === handle) return (owner.secondsSinceEnd ?? 0) < ENDING_SECONDS;
  // A start whose handle is not stored yet.
  return owner.state === "STARTING" && owner.versionId === versionId;
}
