export interface Parents {
  /** What to do when npm or its shell has ended. */
  whenGone: () => void;
}

export function watchParents(options?: { env?: NodeJS.ProcessEnv; everyMs?: number }): Parents;
