import { v7 } from "uuid";
import type { CredentialAction, ProductsRead, TenantConnectInput } from "@/lib/contract/platform/core";
import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import { insertCredential } from "../../accounts/credentials/core-credential-queries";
import type { Platform } from "../../platform/platform";
import { readCoreProducts } from "../../platform/requests/try-core";
import { addAppsProblem } from "./apps-problem";
import { createCoreCredential, openCredential, sealCredential } from "./credentials";
import { replaceProducts } from "./product-queries";
import { disconnectTenantRow, insertTenant, updateUnchangedTenant, type WholeTenant } from "./queries";
import {
  auditTenant,
  checkHostName,
  findTenant,
  normalizeCoreUrl,
  outdatedTenant,
  refuseTaken,
} from "./tenant-rules";

interface ConnectedTenant {
  tenantId: string;
  /** The tenant's core signs in to the gateway with it. Shown once; only its hash is stored. */
  coreCredential: string;
  products: string[];
  /** Why apps can't reach the core, and what to enter instead. */
  appsProblem?: string | undefined;
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
  const { listed, test: tried } = await readCoreProducts(platform, target);
  const test = await addAppsProblem(platform, coreApiUrl, tried);
  const { products, appsProblem } = test;
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
  return { tenantId, coreCredential, products, appsProblem };
}

const AUDITED_ACTION = { keep: "kept", set: "set", clear: "cleared" } as const;

/**
 * Changes a tenant's name, host name, address, and credential (kept if left out). Reads the core with the new values
 * first; nothing changes if that fails. Throws NOT_FOUND, WRONG_STATE, BAD_INPUT, CORE_FAILED, NAME_TAKEN.
 */
export async function editTenant(
  platform: Platform,
  member: Member,
  tenantId: string,
  input: TenantConnectInput,
): Promise<ProductsRead> {
  const { id: organizationId, slug: organization } = member.organization;
  const before = await findTenant(platform, member, tenantId);
  if (before.sandbox)
    throw new Problem("WRONG_STATE", "The sandbox cannot be edited because the platform manages it.");
  const { name, hostName, credential: action = { action: "keep" } } = input;
  const coreApiUrl = normalizeCoreUrl(input.coreApiUrl);
  refuseToSendElsewhere(before, coreApiUrl, action);
  if (hostName !== before.hostName) await checkHostName(platform.db, organizationId, hostName);
  const target = {
    id: tenantId,
    organization,
    hostName,
    coreApiUrl,
    sandbox: false,
    credential: await newCredential(platform, organizationId, before, action),
  };
  const { listed, test: tried } = await readCoreProducts(platform, target);
  const test = await addAppsProblem(platform, coreApiUrl, tried);
  return platform.db.transaction(async (tx) => {
    const credential =
      action.action === "set"
        ? await sealCredential(platform, tx, member, tenantId, action.value)
        : action.action === "clear"
          ? null
          : undefined;
    // drizzle leaves out columns that are undefined.
    const sharesHost = hostName === before.hostName ? undefined : false;
    const changes = { name, hostName, sharesHost, coreApiUrl, connection: test, credential };
    const changed = await updateUnchangedTenant(tx, organizationId, before, changes).catch(
      refuseTaken(input),
    );
    if (!changed) throw outdatedTenant();
    const read = await replaceProducts(tx, tenantId, listed);
    const details = { name, hostName, coreApiUrl, credential: AUDITED_ACTION[action.action], ...read };
    await auditTenant(platform, tx, member, { action: "tenant.edit", tenantId, details });
    return read;
  });
}

/** Otherwise anyone could read a stored credential by sending it to their own host. */
function refuseToSendElsewhere(before: WholeTenant, coreApiUrl: string, { action }: CredentialAction): void {
  if (before.credential === null || action !== "keep") return;
  if (new URL(before.coreApiUrl).origin === new URL(coreApiUrl).origin) return;
  const message =
    "The core is now on a different host, and a stored credential is never sent to a new host. Enter the credential again, or remove it.";
  throw new Problem("BAD_INPUT", message, [
    { code: "credential-ask-again", pointer: "/credential", message },
  ]);
}

async function newCredential(
  platform: Platform,
  organizationId: string,
  before: WholeTenant,
  action: CredentialAction,
): Promise<string | undefined> {
  if (action.action === "set") return action.value;
  return action.action === "keep" ? openCredential(platform, organizationId, before) : undefined;
}

/**
 * Disconnects a tenant: its core's credential stops working at once, its own credential and its products are removed, and its
 * name and host name are free again. Throws NOT_FOUND, or WRONG_STATE while an app is installed for it.
 */
export async function disconnectTenant(platform: Platform, member: Member, tenantId: string): Promise<void> {
  const { name, hostName, coreApiUrl } = await findTenant(platform, member, tenantId);
  await platform.db.transaction(async (tx) => {
    if (!(await disconnectTenantRow(tx, member.organization.id, tenantId)))
      throw new Problem(
        "WRONG_STATE",
        `Apps are still installed for '${name}'. Uninstall them first; the tenant's page lists them.`,
      );
    const details = { name, hostName, coreApiUrl };
    await auditTenant(platform, tx, member, { action: "tenant.disconnect", tenantId, details });
  });
}
