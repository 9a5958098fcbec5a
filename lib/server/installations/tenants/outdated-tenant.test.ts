import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Member } from "@/lib/domain/platform/actor";
import { fakeCore, productsListing } from "@/tests/fake-core";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { connectTenant, editTenant } from "./connect-tenant";
import { readTenant } from "./read-tenants";
import { refreshProducts, testTenant } from "./test-connection";

const platform = await testPlatform();
const newCore = fakeCore();
let oldAddress = "";
/** What happens between the request to the old core and its response. */
let meanwhile: () => Promise<unknown>;
let status: number;
const oldCore = createServer((_request, response) => {
  void meanwhile().then(() => response.writeHead(status).end(productsListing("Old")));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => oldCore.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an AddressInfo.
  const { port } = oldCore.address() as AddressInfo;
  oldAddress = `http://127.0.0.1:${port}`;
});
beforeEach(() => {
  meanwhile = () => Promise.resolve();
  status = 200;
  newCore.answer = { body: productsListing("New") };
});
afterAll(() => {
  oldCore.closeAllConnections();
  oldCore.close();
});

async function connected(owner: Member): Promise<string> {
  const input = { name: "Production", hostName: "harbor.core.example", coreApiUrl: oldAddress };
  return (await connectTenant(platform, owner, input)).tenantId;
}

const moved = () => ({ name: "Live", hostName: "harbor.core.example", coreApiUrl: newCore.coreApiUrl });
const renamed = () => ({ ...moved(), hostName: "live.core.example", coreApiUrl: oldAddress });
const recredited = () => ({ ...moved(), credential: { action: "set", value: "key" } as const });

// Guarantee: a late response from a tenant's former core replaces nothing.
test.each([
  ["a refresh", "another address", refreshProducts, moved, 200],
  ["a refresh that fails", "another address", refreshProducts, moved, 500],
  ["a test", "another address", testTenant, moved, 200],
  ["a refresh", "another host name", refreshProducts, renamed, 200],
  ["a test", "another credential", testTenant, recredited, 500],
] as const)(
  "%s that an edit to %s made outdated is not stored",
  async (_what, _of, read, edited, answered) => {
    const owner = await givenMember(platform, "harbor");
    const tenantId = await connected(owner);
    let after: unknown;
    meanwhile = async () => {
      meanwhile = () => Promise.resolve();
      await editTenant(platform, owner, tenantId, edited());
      after = await readTenant(platform, owner, tenantId);
      status = answered;
    };
    const outcome = read(platform, owner, tenantId);
    await expect(outcome).rejects.toMatchObject({ code: "WRONG_STATE", detail: /changed this tenant/ });
    expect(after).toMatchObject({ name: "Live" });
    expect(await readTenant(platform, owner, tenantId)).toEqual(after);
  },
);
