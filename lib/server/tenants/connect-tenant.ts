import { v7 } from "uuid";
import type { TenantConnectInput } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import { readCoreProducts } from "../core-client/try-core";
import { insertCredential } from "../identity/core-credential-queries";
import type { Platform } from "../platform/platform";
import { replaceProducts } from "./product-queries";
import { insertTenant } from "./queries";
import { createCoreCredential } from "./rotate-core-credential";
import { sealCredential } from "./seal-credential";
import { auditTenant, checkHostName, normalizeCoreUrl, refuseTaken } from "./tenant-rules";

export interface ConnectedTenant {
  tenantId: string;
  /** The tenant's core signs in to the gateway with it. Shown once; only its hash is stored. */
  coreCredential: string;
  products: string[];
}

/** Stores the tenant only if its core's products can be read. Throws CORE_FAILED, NAME_TAKEN, BAD_INPUT. */
export async function connectTenant(
  platform: Platform,
  member: Member,
  input: TenantConnectInput,
): Promise<ConnectedTenant> {
  const tenantId = v7();
  const { name, hostName } = input;
  const coreApiUrl = normalizeCoreUrl(input.coreApiUrl);
  const credential = input.credential?.action === "set" ? input.credential.value : undefined;
  const { id: organizationId, slug: organization } = member.organization;
  await checkHostName(platform.db, organizationId, hostName);
  const target = { id: tenantId, organization, hostName, coreApiUrl, sandbox: false, credential };
  const { listed, test } = await readCoreProducts(platform, target);
  const { products } = test;
  const { coreCredential, coreCredentialHash } = createCoreCredential();
  await platform.db.transaction(async (tx) => {
    const sealed =
      credential === undefined ? null : await sealCredential(platform, tx, member, tenantId, credential);
    const row = { id: tenantId, organizationId, name, hostName, coreApiUrl };
    await insertTenant(tx, { ...row, credential: sealed, connection: test }).catch(refuseTaken(input));
    await insertCredential(tx, tenantId, coreCredentialHash);
    await replaceProducts(tx, tenantId, listed);
    const details = { name, hostName, coreApiUrl, credential: sealed === null ? "none" : "set", products };
    await auditTenant(platform, tx, member, { action: "tenant.connect", tenantId, details });
  });
  return { tenantId, coreCredential, products };
}
