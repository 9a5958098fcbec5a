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

/**
 * The password as it is hashed, so that it is the same on every keyboard: RFC 8265's OpaqueString, which composes accents (NFC) and
 * takes any space for a space. NFKC would make different passwords the same.
 */
export function preparePassword(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, " ").normalize("NFC");
}

/** Why a password is easy to guess, and what to do; undefined for one that is good enough. */
export function findWeakness(password: string, about: readonly string[] = []): string | undefined {
  const plain = password.toLowerCase();
  if (new Set(plain).size < 5) return "This password repeats a few characters. Use a wider variety.";
  if (SEQUENCES.some((sequence) => sequence.includes(plain)))
    return "This password is a sequence of keys. Use several unrelated words.";
  if (COMMON.has(plain.replaceAll(/[^a-z]/g, "").replace(/^(.+?)\1+$/, "$1")))
    return "This password is one of the most common ones. Use several unrelated words.";
  const own = about.flatMap((text) => [text, text.split("@")[0] ?? ""]).map((text) => text.toLowerCase());
  const isOwn = own.some((text) => text.length >= 4 && plain.replaceAll(/[\d\W_]+$/g, "") === text);
  if (isOwn || own.includes(plain))
    return "This password is your name or email address. Use several unrelated words.";
  return undefined;
}

const FORWARD = [
  "0123456789012345678901234567890",
  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
];
const SEQUENCES = FORWARD.flatMap((sequence) => [sequence, [...sequence].reverse().join("")]);

/** Letters alone and once, so that `Password123!` and `admin-admin` are among them. */
const COMMON = new Set([
  "password",
  "passwort",
  "passw",
  "pssword",
  "letmein",
  "iloveyou",
  "welcome",
  "administrator",
  "admin",
  "changeme",
  "changemenow",
  "qwerty",
  "qwertyuiop",
  "asdfghjkl",
  "football",
  "baseball",
  "sunshine",
  "princess",
  "superman",
  "trustno",
  "monkey",
  "dragon",
  "secret",
  "moderator",
  "test",
  "correcthorsebatterystaple",
]);

const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["CriOS", "Chrome"],
  ["FxiOS", "Firefox"],
  ["Safari", "Safari"],
  ["curl", "curl"],
] as const;

const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Macintosh", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Browser and system of a `User-Agent`, such as "Firefox on Windows", to tell one's own sessions apart. */
export function describeDevice(userAgent: string): string {
  const browser = BROWSERS.find(([token]) => userAgent.includes(`${token}/`))?.[1];
  const system = SYSTEMS.find(([token]) => userAgent.includes(token))?.[1];
  if (browser === undefined && system === undefined) return "Unknown device";
  if (browser === undefined) return system ?? "";
  return system === undefined ? browser : `${browser} on ${system}`;
}

/**
 * The path that `wanted` names if it is a path or an address of this origin, otherwise `fallback`. Rejects `//evil`,
 * `/\evil`, `\\evil` and addresses of other origins, even if they start like this one.
 */
export function localPath(
  wanted: string | null | undefined,
  fallback: string,
  origin = "http://localhost",
): string {
  if (wanted === undefined || wanted === null) return fallback;
  if (!wanted.startsWith("/") && !wanted.startsWith(`${origin}/`)) return fallback;
  try {
    const url = new URL(wanted, origin);
    const isLocal = url.origin === origin && !url.pathname.startsWith("//");
    return isLocal ? `${url.pathname}${url.search}` : fallback;
  } catch {
    return fallback;
  }
}

/** What the platform keeps in a browser. `newcomer`: what an identity provider says about somebody without an account. */
export type PlatformCookie =
  "session" | "device" | "newcomer" | "csrf" | "callback-url" | "pkce" | "state" | "nonce";

/**
 * Browsers send a host's cookies to all of its ports, so the name says the port: platforms on one host would sign each other
 * out. `__Host-` binds a cookie to this exact host. Browsers accept it only over HTTPS.
 */
export function nameCookie(cookie: PlatformCookie, webUrl: string): string {
  const { protocol, port } = new URL(webUrl);
  const prefix = protocol === "https:" ? "__Host-" : "";
  return `${prefix}platform-${cookie}${port === "" ? "" : `-${port}`}`;
}
