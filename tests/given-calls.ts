/** A customer with an app for two tenants, and calls of them as they are recorded. */
import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { attempts, deliveries, events } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { Db } from "@/lib/server/platform/database/connect";
import type { Platform } from "@/lib/server/platform/platform";
import { givenInstallation, givenListing, givenMember, givenTenant } from "./test-platform";

type Attempt = Partial<typeof attempts.$inferInsert>;
type Given = Awaited<ReturnType<typeof givenInstallation>>;

/** Makes everything that is installed count in the figures of listings: for more than a week, and with a call that was answered. */
export async function givenWeekOfUse({ pool }: Platform): Promise<void> {
  await pool.query("update installations set created_at = now() - interval '8 days'");
  await pool.query(
    `insert into call_hours (hour, organization_id, installation_id, route_id, test, event_type, latencies, calls, failed)
     select date_trunc('hour', now()) - interval '1 day', i.organization_id, i.id, r.id, false, '', '{60}', '{1}', '{0}'
       from installations i join routes r on r.installation_id = i.id and r.kind = 'autofill'
         on conflict do nothing`,
  );
}

export async function givenCallWorld(platform: Platform, slug = "harbor") {
  const customer = await givenMember(platform, slug);
  const { version } = await givenListing(platform, customer, { state: "PUBLIC", verified: true });
  const { tenant } = await givenTenant(platform, customer);
  const production = await givenInstallation(platform, customer, version, tenant.id);
  const other = await givenTenant(platform, customer, `${slug}-test.core.example`, "Sandbox");
  const launch = await givenInstallation(platform, customer, version, other.tenant.id);
  const testId = launch.installation.id;
  await platform.db.update(installations).set({ test: true }).where(eq(installations.id, testId));

  /** A call that began `ago` milliseconds ago and succeeded after 20 ms, unless `changed` says otherwise. */
  async function call(
    kind: RouteKind,
    {
      ago = 0,
      given = production,
      db = platform.db,
      ...changed
    }: Attempt & { ago?: number; given?: Given; db?: Db } = {},
  ): Promise<string> {
    const id = v7({ msecs: Date.now() - ago });
    const { id: routeId, path } = given.route(kind);
    await db.insert(attempts).values({
      id,
      organizationId: customer.organization.id,
      installationId: given.installation.id,
      routeId,
      kind,
      target: `POST ${path}`,
      startedAt: new Date(Date.now() - ago),
      durationMs: 20,
      status: 200,
      ...changed,
    });
    return id;
  }

  /** A delivery with one failed attempt. */
  async function delivery(
    state: "DEAD" | "PENDING",
    { ago = 0, given = production, type = "policy.issued" } = {},
  ) {
    const moment = new Date(Date.now() - ago);
    const event = {
      tenantId: given.installation.tenantId,
      eventId: v7(),
      type,
      body: "{}",
      bodyHash: "0",
    };
    const [accepted] = await platform.db.insert(events).values(event).returning();
    const { id: routeId } = given.route("webhook");
    const id = v7({ msecs: moment.getTime() });
    const row = { id, eventId: accepted?.id ?? "", installationId: given.installation.id, routeId };
    await platform.db.insert(deliveries).values({ ...row, state, attemptCount: 1, createdAt: moment });
    const failure = "It returned 500.";
    const attemptId = await call("webhook", {
      ago,
      given,
      deliveryId: id,
      eventType: type,
      status: 500,
      failure,
    });
    return { id, attemptId };
  }

  return { customer, production, launch, call, delivery };
}
