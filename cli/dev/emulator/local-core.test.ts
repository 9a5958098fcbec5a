import { expect, test } from "vitest";
import { createTokens } from "./local-core";

// Guarantee: what verifies a token on this machine verifies one of the platform, also if its clock is behind.
test("tokens are valid since half a minute before they were signed", () => {
  const signed = createTokens("http://127.0.0.1:4100").sign({
    audience: "http://127.0.0.1:4100/core",
    organization: "acme",
    tenant: "acme.example",
    subject: "installation",
    tokenId: "1",
    scope: null,
  });
  const claims = JSON.parse(Buffer.from(signed.split(".")[1] ?? "", "base64url").toString());
  expect(claims.nbf).toBe(claims.iat);
  expect(claims.exp - claims.iat).toBe(15 * 60 + 30);
  expect(Date.now() / 1000 - claims.iat).toBeGreaterThanOrEqual(29);
});
