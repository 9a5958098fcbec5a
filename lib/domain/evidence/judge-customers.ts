import type { CallSeen } from "./judge-calls";
import { fail, listSome, pass, skip, warn, type Verdict } from "./verdict";

interface CustomersSeen {
  calls: readonly CallSeen[];
  /** Of each customer: texts that occur in its settings and payloads, and nowhere else. */
  markers: readonly (readonly string[])[];
  /** The first customer's keys read the state while only the second was served. */
  staleReads: boolean;
}

const RULE =
  "One instance serves many customers: read the state with the key of each request, and keep none of it afterward.";

export function judgeCustomers({ calls, markers, staleReads }: CustomersSeen): Verdict {
  if (calls.length === 0) return skip("No call could be sent to it.");
  const mixed = calls.filter(({ customer, answer }) =>
    markers.some((own, other) => other !== customer && containsAny(answer, own)),
  );
  if (mixed.length > 0)
    return fail(
      `${listSome(mixed.map(({ what }) => what))} returned one customer's values to another. ${RULE}`,
    );
  const second = calls.filter(({ round }) => round === 2);
  if (staleReads && second.some(({ reads }) => reads === 0))
    return fail(`It read one customer's state with the key of another customer's call. ${RULE}`);
  const unread = second.filter(
    ({ what, reads }) =>
      reads === 0 && calls.some((first) => first.round === 1 && first.what === what && first.reads > 0),
  );
  if (unread.length > 0)
    return warn(
      `${listSome(unread.map(({ what }) => what))} read the state for the first customer, but not for the second. Make sure that it doesn't keep the state of a customer. ${RULE}`,
    );
  if (calls.every(({ answer }) => answer === null)) return skip("No call was answered.");
  return pass(
    `${calls.length} calls for two made-up customers, one after another and at the same time, contained none of the other customer's data.`,
  );
}

function containsAny(answer: string | null, markers: readonly string[]): boolean {
  const text = answer?.toLowerCase() ?? "";
  return markers.some((marker) => text.includes(marker.toLowerCase()));
}

/** A secret that was found where it must not be. */
export interface Leak {
  /** Such as `the setting apiKey` or `a state key`. */
  what: string;
  /** Such as `its log` or `the answer to POST /rate`. */
  where: string;
}

export function judgeSecrets(leaks: readonly Leak[], searched: { answers: number; log: boolean }): Verdict {
  if (leaks.length > 0)
    return fail(
      `It wrote ${listSome(leaks.map(({ what, where }) => `${what} to ${where}`))}. Remove it there, because everyone who can read the log or the response can read the secret.`,
    );
  if (!searched.log && searched.answers === 0) return skip("There was no log or response to search.");
  return pass(
    `No secret setting, state key, or token is in ${searched.log ? "its log or " : ""}${searched.answers} responses, in any common encoding.`,
  );
}
