import type { Member } from "@/lib/domain/actor";

/** For whom something is published, and who did it. */
export interface Publisher {
  organizationId: string;
  organizationSlug: string;
  /** As the audit names it: `api-key:<id>` or `user:<id>`. */
  actor: string;
  /** The key that it came with: revoked during an upload, it ends the upload too. */
  apiKeyId?: string;
}

export function publisherOf({ userId, organization }: Member): Publisher {
  return { organizationId: organization.id, organizationSlug: organization.slug, actor: `user:${userId}` };
}
