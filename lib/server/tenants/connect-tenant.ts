import { createHash, randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { TenantInput } from "@/lib/contract/core";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import type { Platform } from "../platform";
import { insertTenant, replaceProducts } from "./queries";
import { readCoreProducts } from "./read-core-products";

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
  input: TenantInput,
): Promise<ConnectedTenant> {
  const tenantId = v7();
  const coreApiUrl = plainAddress(input.coreApiUrl);
  const listed = await readCoreProducts(platform, { id: tenantId, coreApiUrl });
  const coreCredential = `pcc_${randomBytes(32).toString("base64url")}`;
  const organizationId = member.organization.id;
  const coreCredentialHash = createHash("sha256").update(coreCredential).digest("hex");
  await platform.db.transaction(async (tx) => {
    const row = {
      id: tenantId,
      organizationId,
      name: input.name,
      hostName: input.hostName,
      coreApiUrl,
      coreCredentialHash,
    };
    await insertTenant(tx, row).catch(refuseTaken(input.name));
    await replaceProducts(tx, tenantId, listed);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.connect",
      subject: `tenant:${tenantId}`,
      details: {
        name: input.name,
        hostName: input.hostName,
        coreApiUrl,
        products: listed.map((product) => product.name),
      },
    });
  });
  return { tenantId, coreCredential, products: listed.map((product) => product.name) };
}

/** The address without a slash at its end, for paths are joined to it and tokens name it. */
function plainAddress(address: string): string {
  const url = new URL(address);
  const bare = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (bare) return url.href.replace(/\/+$/, "");
  const message =
    "Write the address without a user name, a query or a fragment. The platform signs in with a token of its own.";
  throw new Problem("BAD_INPUT", message, [{ code: "core-address", pointer: "/coreApiUrl", message }]);
}

function refuseTaken(name: string) {
  return (error: unknown): never => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    const message = `Your organization has a tenant called '${name}' already. Choose another name.`;
    throw new Problem("NAME_TAKEN", message, [{ code: "taken", pointer: "/name", message }]);
  };
}
