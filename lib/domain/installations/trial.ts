/** How long a trial of an app lasts, and how many there can be. Every other limit counts in `count-tries.ts`. */
export const TRIAL_HOURS = 24;

/** Trials that run at the same time. */
export const OPEN_TRIALS = { ofPerson: 3, inAll: 200 } as const;

/** Why no other trial can start now; undefined if one can. */
export function refuseTrial(open: { ofPerson: number; inAll: number }): string | undefined {
  if (open.ofPerson >= OPEN_TRIALS.ofPerson)
    return `You already have ${OPEN_TRIALS.ofPerson} trials. End one of them to start another.`;
  if (open.inAll >= OPEN_TRIALS.inAll)
    return "Too many trials are running on this platform. Try again in an hour, when some of them have ended.";
  return undefined;
}
