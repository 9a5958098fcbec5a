/**
 * The states of an organization's domain, and what moves it. A check looks for the proof: a TXT record, or a file on the domain's website.
 *
 * | from           | to       | when                                                                         |
 * | -------------- | -------- | ---------------------------------------------------------------------------- |
 * | (none)         | WAITING  | an owner or publisher adds it                                                |
 * | WAITING, LOST  | VERIFIED | a check finds the proof, and no other organization has the domain            |
 * | WAITING, LOST  | VERIFIED | the same, and a check finds that the other organization's proof is gone      |
 * | VERIFIED       | FAILING  | a check doesn't find the proof; owners are notified                          |
 * | FAILING        | VERIFIED | a check finds the proof again                                                |
 * | FAILING        | LOST     | a check doesn't find it, 14 days after the first one that didn't             |
 * | VERIFIED, ...  | LOST     | another organization proves it, and this one's proof is gone: without grace  |
 *
 * A domain counts as verified while it is VERIFIED or FAILING, for one organization at most. Verified domains are checked once a week,
 * failing ones once a day, others when somebody asks.
 */
import { type DomainState, GRACE_DAYS } from "@/lib/contract/accounts/domain";

const DAY_MS = 24 * 3_600_000;

export function isHeld(state: DomainState): boolean {
  return state === "VERIFIED" || state === "FAILING";
}

interface DomainRecord {
  state: DomainState;
  /** Since the first check that didn't find the proof; null in other states than FAILING. */
  failingSince: Date | null;
}

export interface NextDomain extends DomainRecord {
  /** When a worker checks it again; null: only when somebody asks. */
  nextCheckAt: Date | null;
}

/** What a check makes of a domain. */
export function moveDomain({ state, failingSince }: DomainRecord, isProven: boolean, now: Date): NextDomain {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  if (isProven) return { state: "VERIFIED", failingSince: null, nextCheckAt: inDays(7) };
  if (!isHeld(state)) return { state, failingSince: null, nextCheckAt: null };
  const since = failingSince ?? now;
  if (now >= graceEnd(since)) return { state: "LOST", failingSince: null, nextCheckAt: null };
  return { state: "FAILING", failingSince: since, nextCheckAt: inDays(1) };
}

export function graceEnd(failingSince: Date): Date {
  return new Date(failingSince.getTime() + GRACE_DAYS * DAY_MS);
}

/** What the record's value and the file's text is. */
export function writeProof(token: string): string {
  return `platform-verify=${token}`;
}

export function recordName(domain: string): string {
  return `_platform-verify.${domain}`;
}

export function proofUrl(domain: string): string {
  return `https://${domain}/.well-known/platform-domain.txt`;
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Second levels below which countries register names: `co.uk` belongs to nobody who could publish apps. A list of all such names would
 * change weekly; whoever controls another one can also prove it.
 */
const SECOND_LEVELS =
  /^(ac|asso|co|com|ed|edu|firm|gen|go|gob|gouv|gov|govt|ind|info|int|lg|ltd|me|mil|muni|ne|net|nhs|nom|or|org|plc|police|sch|school|web)\.[a-z]{2}$/;

/** The domain in ASCII and lower case, or what is wrong with what was typed. A web address stands for its host. */
export function readDomain(typed: string): { domain: string } | { problem: string } {
  const text = typed.trim().replace(/^https?:\/\/([^/?#]+)\/?$/i, "$1");
  const bad = { problem: "Enter a domain, such as acme.example, without a path or a port." };
  if (text === "" || /[\s/\\:@?#%\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(`https://${text}`)) return bad;
  const domain = new URL(`https://${text}`).hostname.replace(/\.$/, "");
  const labels = domain.split(".");
  // The parser reads `0x7f.1` and `2130706433` as addresses.
  if (/^\d+$/.test(labels.at(-1) ?? "")) return { problem: "Enter a domain, not an IP address." };
  if (domain.length > 236 || !labels.every((label) => LABEL.test(label))) return bad;
  if (labels.length < 2 || SECOND_LEVELS.test(domain))
    return { problem: `${domain} is shared by many organizations. Enter your own domain below it.` };
  return { domain };
}
