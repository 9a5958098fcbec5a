import { expect, test } from "vitest";
import { decideLink } from "./identity-link";

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
