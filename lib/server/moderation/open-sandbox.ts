import { Problem } from "@/lib/contract/platform/problem";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import { connectSandbox } from "../installations/tenants/connect-sandbox";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { requireJudge } from "./decide-review";
import {
  insertModeration,
  joinModeration,
  lockModeration,
  type Moderation,
  moveSession,
  selectModeration,
  selectSandboxLaunch,
  selectSlugs,
} from "./sandbox-queries";

const SLUG = "moderation";
const NAME = "Moderation";

/**
 * Lets a moderator Test Launch the version under review with the usual wizard: as an operator of the moderators' own
 * organization, on its sandbox tenant. Returns the wizard's path, or that of the installation if there is one. Throws
 * NOT_FOUND, NOT_ALLOWED, WRONG_STATE (not under review), or UNAVAILABLE (this platform has no sandbox).
 */
export async function openSandbox(
  platform: Platform,
  moderator: Actor,
  reviewId: string,
): Promise<{ href: string }> {
  const review = await requireJudge(platform, moderator, reviewId);
  const { version, state, organizationSlug, appName } = review;
  if (version === null || state !== "PENDING")
    throw new Problem("WRONG_STATE", "Only a version that is under review can be launched in the sandbox.");
  if (platform.environment.PLATFORM_SANDBOX_CORE_URL === "")
    throw new Problem(
      "UNAVAILABLE",
      "This platform has no sandbox because PLATFORM_SANDBOX_CORE_URL is not set. Ask its operator to set it.",
    );
  const organization = await enterModeration(platform, moderator);
  await connectSandbox(platform, toOperator(moderator, organization));
  const launched = await selectSandboxLaunch(platform.db, organization.id, version.id);
  if (launched !== undefined) return { href: `/installations/${launched}` };
  return { href: `/launch/${organizationSlug}/${appName}?test=1&version=${version.id}` };
}

function toOperator(moderator: Actor, organization: Moderation): Member {
  return { ...moderator, organization: { ...organization, role: "operator", moderation: true } };
}

/** Creates the moderators' organization with the first of them, and lets this session work in it. */
async function enterModeration(platform: Platform, moderator: Actor): Promise<Moderation> {
  return platform.db.transaction(async (tx) => {
    await lockModeration(tx);
    const organization =
      (await selectModeration(tx)) ??
      (await insertModeration(tx, chooseSlug(await selectSlugs(tx, SLUG)), NAME));
    const { id } = organization;
    const isNew = await joinModeration(tx, id, moderator.userId);
    await moveSession(tx, moderator.sessionId, id);
    if (isNew)
      await recordAudit(tx, platform.keyring, {
        chain: id,
        actor: `user:${moderator.userId}`,
        action: "moderation.join",
        subject: `user:${moderator.userId}`,
      });
    return organization;
  });
}

/** Somebody may have signed up with this name before. */
function chooseSlug(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? SLUG : `${SLUG}-${number}`;
    if (!taken.includes(slug)) return slug;
  }
}
