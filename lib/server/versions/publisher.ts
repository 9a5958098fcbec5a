/** For whom something is published, and who did it. */
export interface Publisher {
  organizationId: string;
  organizationSlug: string;
  /** As the audit names it: `api-key:<id>` or `user:<id>`. */
  actor: string;
  /** The key that it came with: revoked during an upload, it ends the upload too. */
  apiKeyId?: string;
}
