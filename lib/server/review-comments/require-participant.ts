import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { participationIn, type Participation } from "@/lib/domain/review-comment";
import type { Platform } from "../platform/platform";
import { selectConversation, type Conversation } from "./queries";

interface Participant {
  conversation: Conversation;
  participation: Participation;
}

/** Throws NOT_FOUND for everybody but moderators and the publisher's owners and publishers. */
export async function requireReader(
  platform: Platform,
  actor: Actor,
  reviewId: string,
): Promise<Participant> {
  const conversation = await selectConversation(platform.db, reviewId, actor.userId);
  const participation =
    conversation && participationIn(actor, conversation.organizationId, conversation.belongs);
  if (conversation === undefined || participation === undefined) throw new Problem("NOT_FOUND");
  return { conversation, participation };
}

/** Throws NOT_ALLOWED for a moderator who belongs to the publisher and works elsewhere. */
export async function requireWriter(
  platform: Platform,
  actor: Actor,
  reviewId: string,
): Promise<Participant & { participation: "moderator" | "publisher" }> {
  const { conversation, participation } = await requireReader(platform, actor, reviewId);
  if (participation === "observer")
    throw new Problem(
      "NOT_ALLOWED",
      "This listing belongs to your organization, so you can't write as a moderator. Switch to that organization to write as its publisher.",
    );
  return { conversation, participation };
}
