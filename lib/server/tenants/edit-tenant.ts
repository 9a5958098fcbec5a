import type { CredentialAction, ProductsRead, TenantConnectInput } from "@/lib/contract/core";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { overtaken } from "./overtaken";
import { plainAddress } from "./plain-address";
import { replaceProducts } from "./product-queries";
import { selectWholeTenant, updateUnchangedTenant, type StoredCredential, type WholeTenant } from "./queries";
import { readCoreProducts } from "./read-core-products";
import { holdHost, refuseForeignHost } from "./refuse-foreign-host";
import { refuseTaken } from "./refuse-taken";
import { openCredential, sealCredential } from "./seal-credential";

const KEEP: CredentialAction = { action: "keep" };
const WORDS = { keep: "kept", set: "set", clear: "cleared" } as const satisfies Record<
  CredentialAction["action"],
  string
>;

/**
 * Changes a tenant's name, host, address and credential (left out: kept). The core is read first, with what is new: when
 * it cannot be read nothing is changed. Throws NOT_FOUND, WRONG_STATE, BAD_INPUT, CORE_FAILED, NAME_TAKEN.
 */
export async function editTenant(
  platform: Platform,
  member: Member,
  tenantId: string,
  input: TenantConnectInput,
): Promise<ProductsRead> {
  const organizationId = member.organization.id;
  const before = isId(tenantId) ? await selectWholeTenant(platform.db, organizationId, tenantId) : undefined;
  if (before === undefined) throw new Problem("NOT_FOUND");
  if (before.sandbox)
    throw new Problem("WRONG_STATE", "The sandbox is the platform's own: it cannot be edited.");
  const { name, hostName, credential: action = KEEP } = input;
  const coreApiUrl = plainAddress(input.coreApiUrl);
  refuseToSendElsewhere(before, coreApiUrl, action);
  await refuseForeignHost(platform.db, organizationId, hostName);
  const credential = await credentialAfter(platform, organizationId, before, action);
  const organization = member.organization.slug;
  const target = { id: tenantId, organization, hostName, coreApiUrl, sandbox: false, credential };
  const { listed, test } = await readCoreProducts(platform, target);
  return platform.db.transaction(async (tx) => {
    await holdHost(tx, organizationId, hostName);
    const changes = {
      name,
      hostName,
      coreApiUrl,
      connection: test,
      ...(await storedAfter(platform, tx, member, tenantId, action)),
    };
    const changed = await updateUnchangedTenant(tx, organizationId, before, changes).catch(refuseTaken(name));
    if (!changed) throw overtaken();
    const read = await replaceProducts(tx, tenantId, listed);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.edit",
      subject: `tenant:${tenantId}`,
      details: { name, hostName, coreApiUrl, credential: WORDS[action.action], ...read },
    });
    return read;
  });
}

/** Whoever could send a kept credential to a host of their own could read it. */
function refuseToSendElsewhere(before: WholeTenant, coreApiUrl: string, { action }: CredentialAction): void {
  if (before.credential === null || action !== "keep") return;
  if (new URL(before.coreApiUrl).origin === new URL(coreApiUrl).origin) return;
  const message =
    "The core is at another host now, and a stored credential is never sent there. Set it again, or remove it.";
  throw new Problem("BAD_INPUT", message, [
    { code: "credential-ask-again", pointer: "/credential", message },
  ]);
}

async function credentialAfter(
  platform: Platform,
  organizationId: string,
  before: WholeTenant,
  action: CredentialAction,
): Promise<string | undefined> {
  if (action.action === "set") return action.value;
  return action.action === "keep" ? openCredential(platform, organizationId, before) : undefined;
}

async function storedAfter(
  platform: Platform,
  tx: Db,
  member: Member,
  tenantId: string,
  action: CredentialAction,
): Promise<{ credential?: StoredCredential | null }> {
  if (action.action === "keep") return {};
  if (action.action === "clear") return { credential: null };
  return { credential: await sealCredential(platform, tx, member, tenantId, action.value) };
}
