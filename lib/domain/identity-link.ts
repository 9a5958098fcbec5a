/** What an OpenID Connect issuer says about somebody who signs in. */
export interface IssuedIdentity {
  issuer: string;
  subject: string;
  /** Lower case. Empty if the issuer named none. */
  email: string;
  /** The issuer says that the address is this person's. */
  emailVerified: boolean;
}

interface KnownAccounts {
  /** The user to whom this identity is linked. */
  linkedUserId?: string;
  /** The user who is signed in with this browser. */
  signedInUserId?: string;
  /** The user with the same address, and whether that user proved to own it. */
  sameAddress?: { userId: string; confirmed: boolean };
  /** Domains whose addresses the issuer is trusted to verify. */
  trustedDomains: readonly string[];
}

export type LinkDecision =
  | { do: "sign-in"; userId: string }
  | { do: "link"; userId: string }
  /** Linked to another account than the one that is signed in. */
  | { do: "refuse"; reason: "linked-elsewhere" }
  /** An account has this address, but the issuer is not trusted with it, or the account never confirmed it. */
  | { do: "refuse"; reason: "link-first" }
  | { do: "refuse"; reason: "no-account" };

/**
 * The account that an identity signs in to. An address alone links only if both sides have verified it: the issuer is
 * trusted with its domain and says that it is verified, and the account's owner confirmed it. Otherwise anyone who gets
 * an issuer to name somebody's address, or enters somebody's address in an account, would share an account with that
 * person.
 */
export function decideLink(identity: IssuedIdentity, known: KnownAccounts): LinkDecision {
  const { linkedUserId, signedInUserId, sameAddress, trustedDomains } = known;
  if (linkedUserId !== undefined)
    return signedInUserId === undefined || signedInUserId === linkedUserId
      ? { do: "sign-in", userId: linkedUserId }
      : { do: "refuse", reason: "linked-elsewhere" };
  if (signedInUserId !== undefined) return { do: "link", userId: signedInUserId };
  if (sameAddress === undefined) return { do: "refuse", reason: "no-account" };
  const domain = identity.email.split("@").at(-1) ?? "";
  const isSure = identity.emailVerified && trustedDomains.includes(domain) && sameAddress.confirmed;
  return isSure ? { do: "link", userId: sameAddress.userId } : { do: "refuse", reason: "link-first" };
}
