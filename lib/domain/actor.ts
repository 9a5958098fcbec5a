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
