import { expect, test } from "vitest";
import { decideLink, describeDevice, findWeakness, localPath, nameCookie, preparePassword } from "./sign-in";

const identity = {
  issuer: "https://id.example",
  subject: "1",
  email: "ada@acme.example",
  emailVerified: true,
};
const trustedDomains = ["acme.example"];
const sameAddress = { userId: "ada", confirmed: true };

// Guarantee: an address links an account only if the issuer is trusted with its domain, the issuer verified it, and the
// account's owner confirmed it.
test("a verified address of a trusted domain links the account that confirmed it", () => {
  expect(decideLink(identity, { sameAddress, trustedDomains })).toEqual({ do: "link", userId: "ada" });
});

test.each([
  ["the issuer did not verify it", { ...identity, emailVerified: false }, { sameAddress, trustedDomains }],
  ["no domain is trusted", identity, { sameAddress, trustedDomains: [] }],
  ["another domain is trusted", identity, { sameAddress, trustedDomains: ["example"] }],
  [
    "the trusted domain is only a suffix",
    { ...identity, email: "ada@evilacme.example" },
    { sameAddress, trustedDomains },
  ],
  [
    "the account never confirmed it",
    identity,
    { sameAddress: { ...sameAddress, confirmed: false }, trustedDomains },
  ],
])("an address does not link if %s", (_case, named, known) => {
  expect(decideLink(named, known)).toEqual({ do: "refuse", reason: "link-first" });
});

test("an identity alone doesn't create an account", () => {
  expect(decideLink(identity, { trustedDomains })).toEqual({ do: "refuse", reason: "no-account" });
});

test("a linked identity signs in, whatever its address is", () => {
  const named = { ...identity, email: "", emailVerified: false };
  const known = { linkedUserId: "ada", sameAddress: { userId: "eve", confirmed: true }, trustedDomains };
  expect(decideLink(named, known)).toEqual({ do: "sign-in", userId: "ada" });
});

test("a signed-in user links an identity, but not one that belongs to another account", () => {
  expect(decideLink(identity, { signedInUserId: "bob", sameAddress, trustedDomains })).toEqual({
    do: "link",
    userId: "bob",
  });
  expect(decideLink(identity, { signedInUserId: "bob", linkedUserId: "ada", trustedDomains })).toEqual({
    do: "refuse",
    reason: "linked-elsewhere",
  });
});

const ADA = ["Ada Lovelace", "ada.lovelace@acme.example"];

// Guarantee: a password that is among the first guesses is refused, and one that is not is accepted.
test.each([
  "aaaaaaaaaaaa",
  "1212121212",
  "1234567890",
  "0987654321",
  "Qwertyuiop",
  "1q2w3e4r5t",
  "Password123!",
  "welcome2026",
  "admin-admin",
  "ada.lovelace@acme.example",
  "Ada.Lovelace1!",
])("%s is weak", (password) => {
  expect(findWeakness(password, ADA)).toMatch(/^This password .+\. Use /);
});

test.each(["launch-the-demo", "a long password", "tidal lantern orbit", "Zx9$kk2!pQ0v"])(
  "%s is accepted",
  (password) => {
    expect(findWeakness(password, ADA)).toBeUndefined();
  },
);

test.each([
  ["caf\u00E9", "caf\u00E9"],
  ["cafe\u0301", "caf\u00E9"],
  ["\u1112\u1161\u11AB", "\uD55C"],
  ["a\u00A0b\u3000c d", "a b c d"],
  // Compatibility forms stay different passwords.
  ["\uFF21\uFB01\u2460", "\uFF21\uFB01\u2460"],
  ["a\tb\u200B", "a\tb\u200B"],
  ["tidal lantern orbit", "tidal lantern orbit"],
])("the password %j is hashed as %j", (typed, hashed) => {
  expect(preparePassword(typed)).toBe(hashed);
  expect(preparePassword(hashed)).toBe(hashed);
});

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

test.each([
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME}`, "Chrome on macOS"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/140.0.0.0`, "Edge on Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["curl/8.5.0", "curl"],
  ["", "Unknown device"],
  ["<script>alert(1)</script>", "Unknown device"],
])("%s is %s", (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});

test("sign-in never redirects to another origin", () => {
  const hostile = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    " //evil.example",
    "\0//evil.example",
    "///evil.example",
    "/.//evil.example",
    "",
    "evil",
    "\\\\evil.example",
    "http://localhost:3000.evil.example",
    "http://localhost.evil.example",
    "http://localhost@evil.example",
  ];
  for (const wanted of hostile) expect(localPath(wanted, "/marketplace"), wanted).toBe("/marketplace");
  expect(localPath(undefined, "/marketplace")).toBe("/marketplace");
});

test("a path of this origin keeps its query", () => {
  expect(localPath("/launch/acme/vin?test=1", "/")).toBe("/launch/acme/vin?test=1");
});

test("an address of this origin counts as its path, one that only starts like it does not", () => {
  const origin = "http://localhost:3000";
  expect(localPath(`${origin}/a?b=1`, "/", origin)).toBe("/a?b=1");
  for (const wanted of [
    `${origin}.evil.example/a`,
    `${origin}@evil.example/a`,
    `${origin}1/a`,
    "http://localhost/a",
  ])
    expect(localPath(wanted, "/", origin), wanted).toBe("/");
});

// Guarantee: two platforms on one host name don't sign each other out.
test("platforms on other ports of a host have other cookies", () => {
  expect(nameCookie("session", "http://localhost:3000")).toBe("platform-session-3000");
  expect(nameCookie("session", "http://localhost:3001")).toBe("platform-session-3001");
  expect(nameCookie("session", "https://apps.example")).toBe("__Host-platform-session");
  expect(nameCookie("csrf", "https://apps.example:8443")).toBe("__Host-platform-csrf-8443");
});
