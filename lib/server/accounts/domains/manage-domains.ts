import { randomBytes } from "node:crypto";
import type { DomainView } from "@/lib/contract/accounts/domain";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { graceEnd, proofUrl, readDomain, recordName, writeProof } from "@/lib/domain/accounts/domain";
import type { Member } from "@/lib/domain/platform/actor";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { deleteDomain, type DomainRow, insertDomain, lockDomains, selectDomains } from "./domain-queries";

const MOST_DOMAINS = 10;

export async function listDomains({ db }: Platform, { organization }: Member): Promise<DomainView[]> {
  return (await selectDomains(db, organization.id)).map(view);
}

function view({
  id,
  domain,
  token,
  state,
  provenBy,
  problem,
  checkedAt,
  failingSince,
}: DomainRow): DomainView {
  return {
    ...{ id, domain, state, provenBy, problem },
    proof: writeProof(token),
    record: recordName(domain),
    file: proofUrl(domain),
    checkedAt: checkedAt?.toISOString() ?? null,
    lostAt: failingSince === null ? null : graceEnd(failingSince).toISOString(),
  };
}

/** Waits for its proof. Throws BAD_INPUT, NAME_TAKEN if the organization has it, and QUOTA_EXCEEDED. */
export async function addDomain(
  platform: Platform,
  member: Member,
  typed: string,
): Promise<{ domainId: string }> {
  const read = readDomain(typed);
  if ("problem" in read) throw refuse("BAD_INPUT", read.problem);
  const { domain } = read;
  const organizationId = member.organization.id;
  return platform.db.transaction(async (tx) => {
    if ((await lockDomains(tx, organizationId)) >= MOST_DOMAINS)
      throw new Problem(
        "QUOTA_EXCEEDED",
        `Your organization has ${MOST_DOMAINS} domains, the maximum. Remove one first.`,
      );
    const domainId = await insertDomain(tx, {
      ...{ organizationId, domain },
      token: randomBytes(16).toString("hex"),
    });
    if (domainId === undefined)
      throw refuse("NAME_TAKEN", `${domain} is in the list already. Check its proof there.`);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "domain.add",
      subject: `domain:${domainId}`,
      details: { domain },
    });
    return { domainId };
  });
}

function refuse(code: "BAD_INPUT" | "NAME_TAKEN", message: string): Problem {
  return new Problem(code, message, [
    { code: code === "NAME_TAKEN" ? "taken" : "custom", pointer: "/domain", message },
  ]);
}

/** Listings don't show it from then on. Throws NOT_FOUND. */
export async function removeDomain(platform: Platform, member: Member, domainId: string): Promise<void> {
  if (!isId(domainId)) throw new Problem("NOT_FOUND");
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    const removed = await deleteDomain(tx, organizationId, domainId);
    if (removed === undefined) throw new Problem("NOT_FOUND");
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "domain.remove",
      subject: `domain:${domainId}`,
      details: { ...removed },
    });
  });
}
