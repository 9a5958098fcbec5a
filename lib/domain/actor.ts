import type { Role } from "@/lib/contract/organization";

/** Who acts, as read from the database for this one request; never from what the request claims. */
export interface Actor {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  moderator: boolean;
  /** The organization that the person works in now; moderators may have none. */
  organization?: { id: string; slug: string; name: string; role: Role };
}

export interface Member extends Actor {
  organization: NonNullable<Actor["organization"]>;
}

export function isMember(actor: Actor): actor is Member {
  return actor.organization !== undefined;
}

/** For whom something is published, and who did it. */
export interface Publisher {
  organizationId: string;
  organizationSlug: string;
  /** As the audit names it: `api-key:<id>` or `user:<id>`. */
  actor: string;
  /** The key that it came with: revoked during an upload, it ends the upload too. */
  apiKeyId?: string;
}

export function toPublisher({ userId, organization }: Member): Publisher {
  return { organizationId: organization.id, organizationSlug: organization.slug, actor: `user:${userId}` };
}
