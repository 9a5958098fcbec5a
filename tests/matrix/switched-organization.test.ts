/** A page stays of its organization while its user switches in another tab: what it links to and streams from names that one. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { memberships, sessions } from "@/drizzle/schema/accounts";
import { ORGANIZATION_HEADER, ORGANIZATION_PARAMETER } from "@/lib/contract/platform/headers";
import { ROUTE_POLICY } from "@/lib/domain/accounts/policy";
import { testPlatform } from "../test-platform";
import { askHandler, loadHandlers, toParams, WEB_URL } from "./ask-handlers";
import { type AskedRoute, describeCases } from "./cases";
import type { Ids } from "./side";
import { givenWorld, type Person } from "./world";

const platform = await testPlatform({ PLATFORM_WEB_URL: WEB_URL });
Object.assign(globalThis, { hostingPlatform: platform, hostingEnvironment: platform.environment });

const handlers = await loadHandlers();
const reads = handlers.filter(([name]) => name.startsWith("GET ") && typeof ROUTE_POLICY[name] !== "string");

// Guarantee: no read of an organization's data, by header or by address, ever answers with another organization's.
test("after a switch, an address that names the page's organization still reads that one", async () => {
  const { acme, bolt, people } = await givenWorld(platform, "http://127.0.0.1:9");
  const owner = people.find(({ name }) => name === "owner");
  const stranger = people.find(({ name }) => name === "owner of another organization");
  if (owner?.actor === undefined || stranger === undefined) throw new Error("they are in the world");
  const cases = describeCases("http://127.0.0.1:9");
  const ask = async (person: Person, [name, handler]: (typeof reads)[number], ids: Ids, more: Named = {}) => {
    const { at, query, headers } = cases[name];
    const search = new URLSearchParams(query?.(ids));
    if (more.parameter !== undefined) search.set(ORGANIZATION_PARAMETER, more.parameter);
    const named = more.header === undefined ? {} : { [ORGANIZATION_HEADER]: more.header };
    return askHandler(handler, {
      ...{ name, person, headers: { ...headers, ...named }, query: search.toString() },
      params: toParams(name, ids, at),
    });
  };
  // One after another: who asks is known to one request at a time.
  const before = [];
  for (const read of reads) before.push(await ask(owner, read, acme.ids));

  await platform.db
    .insert(memberships)
    .values({ userId: owner.actor.userId, organizationId: bolt.ids.organizationId, role: "owner" });
  await platform.db
    .update(sessions)
    .set({ organizationId: bolt.ids.organizationId })
    .where(eq(sessions.id, owner.actor.sessionId));

  const parameter = acme.ids.organizationId;
  for (const [index, read] of reads.entries()) {
    const [name] = read;
    const named = await ask(owner, read, acme.ids, { parameter });
    expect(named.status, name).toBe(before[index]?.status);
    if (FILES.has(name)) expect(named.text, name).toBe(before[index]?.text);
    expect((await ask(owner, read, acme.ids, { header: parameter })).status, name).toBe(409);
    expect((await ask(stranger, read, acme.ids, { parameter })).status, name).toBe(403);
  }
  const names = reads.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining([...FILES, "GET /api/calls/stream"]));
});

const FILES = new Set<AskedRoute>([
  "GET /api/calls/export",
  "GET /api/organization/api-keys/export",
  "GET /api/organization/audit/export",
  "GET /api/organization/members/export",
]);

interface Named {
  parameter?: string;
  header?: string;
}
