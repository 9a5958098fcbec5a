import { v7, validate as isUuid } from "uuid";
import type { ConnectionInput, ConnectionTest } from "@/lib/contract/core";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform";
import { keepTest } from "./keep-test";
import { plainAddress } from "./plain-address";
import { selectWholeTenant } from "./queries";
import { openCredential } from "./seal-credential";
import { tryCore } from "./try-core";

/** Tries a connection as it was typed; nothing is stored. A fault of the core is in the result, not thrown. */
export async function testConnection(
  platform: Platform,
  _member: Member,
  input: ConnectionInput,
): Promise<ConnectionTest> {
  const coreApiUrl = plainAddress(input.coreApiUrl);
  const credential = input.credential?.action === "set" ? input.credential.value : undefined;
  const { test } = await tryCore(platform, { id: v7(), coreApiUrl, sandbox: false, credential });
  return test;
}

/** Tries the connection of a tenant, and keeps the result with it. Throws NOT_FOUND for any other than the member's. */
export async function testTenant(
  platform: Platform,
  member: Member,
  tenantId: string,
): Promise<ConnectionTest> {
  const organizationId = member.organization.id;
  const tenant = isUuid(tenantId)
    ? await selectWholeTenant(platform.db, organizationId, tenantId)
    : undefined;
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  const credential = await openCredential(platform, organizationId, tenant);
  const { test } = await tryCore(platform, { ...tenant, credential });
  await keepTest(platform, member, tenantId, test);
  return test;
}
