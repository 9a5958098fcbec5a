import type { Role } from "@/lib/contract/platform/role";

/** Who acts, read from the database for each request; never from what the request claims. */
export interface Actor {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  moderator: boolean;
  /** The time zone that the user chose. */
  zone?: string;
  /** The organization requires a second factor, and the user has none. */
  lacksSecondFactor?: boolean;
  /** The user's current organization. Moderators may have none. */
  organization?: {
    id: string;
    slug: string;
    name: string;
    role: Role;
    /** It is the moderators' own, in which they Test Launch versions under review. */
    moderation?: true;
  };
}

export interface Member extends Actor {
  organization: NonNullable<Actor["organization"]>;
}

export function isMember(actor: Actor): actor is Member {
  return actor.organization !== undefined;
}

/** An API key acts for its organization with the role `publisher`, whoever created it. */
export interface KeyAgent {
  apiKeyId: string;
  /** Who created the key. */
  userId: string;
  organization: { id: string; slug: string; name: string; role: "publisher" };
}

/** Who acts for an organization. */
export type Agent = Member | KeyAgent;

/** As in the audit trail. */
export function nameActor(agent: Agent): string {
  return "apiKeyId" in agent ? `api-key:${agent.apiKeyId}` : `user:${agent.userId}`;
}

/** The organization that publishes, and who acts for it. */
export interface Publisher {
  organizationId: string;
  organizationSlug: string;
  /** As in the audit trail: `api-key:<id>` or `user:<id>`. */
  actor: string;
  /** The API key in use. Revoking it ends an upload in progress. */
  apiKeyId?: string;
}

export function toPublisher({ userId, organization }: Member): Publisher {
  return { organizationId: organization.id, organizationSlug: organization.slug, actor: `user:${userId}` };
}
