/** When an email that could not be sent is tried again. Pure: time and randomness are arguments. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Older emails are pointless: links in them have expired, and pages show what happened since. */
export const MAIL_LIFE_MS = 24 * HOUR;

const WAITS_MS = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR] as const;
const LONGEST_WAIT_MS = 4 * HOUR;

/** So that emails that failed together are not retried together. */
const JITTER = 0.2;

export interface MailFailure {
  /** The server's reply, such as 550; undefined without one. */
  responseCode?: number;
  /** The SMTP command that failed, such as `RCPT TO`. */
  command?: string;
}

/**
 * Replies to these are about this one email. What a server says to a connection, a sign-in or a sender concerns all
 * emails.
 */
const OF_ONE_MAIL = new Set(["RCPT TO", "DATA"]);

export function isPermanent({ responseCode, command }: MailFailure): boolean {
  return responseCode !== undefined && responseCode >= 500 && OF_ONE_MAIL.has(command ?? "");
}

/**
 * @param attempts so far, including the one that failed
 * @param ageMs since the email was queued
 * @param chance from 0 to 1
 * @returns how long to wait, or undefined if the email is dead
 */
export function mailWaitMs(
  failure: MailFailure,
  attempts: number,
  ageMs: number,
  chance: number,
): number | undefined {
  if (isPermanent(failure)) return undefined;
  const wait = (WAITS_MS[attempts - 1] ?? LONGEST_WAIT_MS) * (1 - JITTER + 2 * JITTER * chance);
  return ageMs + wait >= MAIL_LIFE_MS ? undefined : Math.round(wait);
}
