import { v7 } from "uuid";
import type { TenantConnectInput } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { newCoreCredential } from "./new-core-credential";
import { plainAddress } from "./plain-address";
import { replaceProducts } from "./product-queries";
import { insertTenant } from "./queries";
import { readCoreProducts } from "./read-core-products";
import { holdHost, refuseForeignHost } from "./refuse-foreign-host";
import { refuseTaken } from "./refuse-taken";
import { sealCredential } from "./seal-credential";

export interface ConnectedTenant {
  tenantId: string;
  /** With it the tenant's core signs in to the gateway. Shown this once; only its hash is kept. */
  coreCredential: string;
  products: string[];
}

/** Reads the products first: a tenant whose core cannot be read is not stored. Throws CORE_FAILED, NAME_TAKEN, BAD_INPUT. */
export async function connectTenant(
  platform: Platform,
  member: Member,
  input: TenantConnectInput,
): Promise<ConnectedTenant> {
  const tenantId = v7();
  const { name, hostName } = input;
  const coreApiUrl = plainAddress(input.coreApiUrl);
  const credential = input.credential?.action === "set" ? input.credential.value : undefined;
  const organization = member.organization.slug;
  const organizationId = member.organization.id;
  await refuseForeignHost(platform.db, organizationId, hostName);
  const target = { id: tenantId, organization, hostName, coreApiUrl, sandbox: false, credential };
  const { listed, test } = await readCoreProducts(platform, target);
  const { coreCredential, coreCredentialHash } = newCoreCredential();
  await platform.db.transaction(async (tx) => {
    await holdHost(tx, organizationId, hostName);
    const sealed =
      credential === undefined ? null : await sealCredential(platform, tx, member, tenantId, credential);
    const row = { id: tenantId, organizationId, name, hostName, coreApiUrl, coreCredentialHash };
    await insertTenant(tx, { ...row, credential: sealed, connection: test }).catch(refuseTaken(name));
    await replaceProducts(tx, tenantId, listed);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.connect",
      subject: `tenant:${tenantId}`,
      details: {
        name,
        hostName,
        coreApiUrl,
        credential: sealed === null ? "none" : "set",
        products: test.products,
      },
    });
  });
  return { tenantId, coreCredential, products: test.products };
}
