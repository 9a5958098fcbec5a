/** Domains that an organization proves to own, as pages send and receive them. */
import * as z from "zod";
import { storableText } from "../platform/text-shapes";

export const DOMAIN_STATES = ["WAITING", "VERIFIED", "FAILING", "LOST"] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

/** How a domain was proven. */
export const DOMAIN_PROOFS = ["dns", "file"] as const;
export type DomainProof = (typeof DOMAIN_PROOFS)[number];

/** How long a domain stays verified after its proof was not found anymore. */
export const GRACE_DAYS = 14;

/** As typed: `readDomain` says what is wrong with it. */
export const domainInput = z.strictObject({ domain: storableText.max(300, "This is not a domain.") });

/** Times are ISO 8601 text. */
export interface DomainView {
  id: string;
  /** In ASCII, lower case. */
  domain: string;
  state: DomainState;
  /** The value of the TXT record, and the text of the file. */
  proof: string;
  /** The name of the TXT record, and the file's URL. */
  record: string;
  file: string;
  provenBy: DomainProof | null;
  /** Why the last check found no proof. */
  problem: string;
  checkedAt: string | null;
  /** Of a failing domain: when it is lost. */
  lostAt: string | null;
}

export const checkedDomain = z.object({ state: z.enum(DOMAIN_STATES), problem: z.string() });
