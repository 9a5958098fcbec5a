import { expect, test } from "vitest";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { selectCores } from "./isolation-queries";

const platform = await testPlatform();

// Guarantee: no customer's core is closed by the check's commands because the platform has many customers.
test("the cores of all connected tenants are let through, each once", async () => {
  const { organization } = await givenMember(platform, "harbor");
  const tenant = (at: number) => ({
    organizationId: organization.id,
    name: `Tenant ${at}`,
    hostName: `t${at}.core.example`,
    coreApiUrl: `https://core-${at % 150}.example:8443/tenants/${at}?x=https://no.example`,
  });
  await platform.db.insert(tenants).values(Array.from({ length: 160 }, (_, at) => tenant(at)));
  await platform.db.insert(tenants).values({ ...tenant(999), disconnectedAt: new Date() });
  const cores = await selectCores(platform.db);
  expect(cores.toSorted()).toEqual(
    Array.from({ length: 150 }, (_, at) => `https://core-${at}.example:8443`).toSorted(),
  );
});
