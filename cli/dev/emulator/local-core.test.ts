import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openCustomers } from "./customer-store";
import { coreApiUrl, createCore, createTokens } from "./local-core";

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

// Guarantee: an app that a core refuses for want of a permission is refused here first.
test.each([
  [null, 200],
  ["claims:read policies:read", 200],
  ["policies:reader", 403],
  ["", 403],
])("of a token with the scope %j, the core answers policies with %i", async (scope, status) => {
  const folder = await mkdtemp(path.join(tmpdir(), "core-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const appUrl = "http://127.0.0.1:4100";
  const customers = await openCustomers(path.join(folder, "customers.json"));
  const tokens = createTokens(appUrl);
  const settings = () => ({ core: "normal" as const, coreDelayMs: 0 });
  const core = createCore({ customers, tokens, appUrl, settings });
  const customer = customers.list()[0] ?? expect.fail();
  const { tenantHostName: tenant } = customer;
  const audience = coreApiUrl(appUrl, customer);
  const token = tokens.sign({ audience, organization: "acme", tenant, subject: "x", tokenId: "1", scope });
  const ask = (...parts: string[]) =>
    core.answer({
      ...{ method: "GET", parts: [tenant, ...parts], authorization: `Bearer ${token}` },
      gone: new AbortController().signal,
    });
  expect((await ask("policies", "POL-1001"))?.status).toBe(status);
  expect((await ask("products"))?.status).toBe(200);
});
