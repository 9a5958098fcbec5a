import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { acceptEvent } from "./accept-event";

const platform = await testPlatform();

// Guarantee: an installation that was stopped for months doesn't delay other deliveries when it starts again.
test("a delivery that has been due for a year is sent", async () => {
  const customer = await givenMember(platform, "harbor");
  const { version } = await givenListing(platform, customer);
  const { tenant } = await givenTenant(platform, customer);
  await givenInstallation(platform, customer, version, tenant.id);
  const { app } = await givenInstance(platform, version.id, (response) => void response.end());
  const timestamp = "2026-01-01T00:00:00Z";
  await acceptEvent(platform, tenant.id, { id: "e1", type: "policy.issued", timestamp, data: {} });
  await platform.db.update(deliveries).set({ nextAttemptAt: sql`now() - interval '1 year'` });
  await sendDueDeliveries(platform);
  expect(app.received).toHaveLength(1);
});
