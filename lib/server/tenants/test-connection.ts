import { v7 } from "uuid";
import type { ConnectionInput, ConnectionTest } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { keepTest } from "./keep-test";
import { plainAddress } from "./plain-address";
import { refuseForeignHost } from "./refuse-foreign-host";
import { tryCore } from "./try-core";
import { tryTenant } from "./try-tenant";

/** Tries a connection as it was typed; nothing is stored. A fault of the core is in the result, not thrown. */
export async function testConnection(
  platform: Platform,
  member: Member,
  input: ConnectionInput,
): Promise<ConnectionTest> {
  const coreApiUrl = plainAddress(input.coreApiUrl);
  const credential = input.credential?.action === "set" ? input.credential.value : undefined;
  const { id: organizationId, slug: organization } = member.organization;
  const { hostName } = input;
  await refuseForeignHost(platform.db, organizationId, hostName);
  const target = { id: v7(), organization, hostName, coreApiUrl, sandbox: false, credential };
  const { test } = await tryCore(platform, target);
  return test;
}

/** Tries the connection of a tenant, and keeps the result with it. Throws NOT_FOUND for any other than the member's, WRONG_STATE. */
export async function testTenant(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<ConnectionTest> {
  const { tenant, test } = await tryTenant(platform, member, tenantId);
  await keepTest(platform, member, tenant, test);
  return test;
}
