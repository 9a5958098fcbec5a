/**
 * The header in which pages name the organization that they show, and the name of the meta element that contains it. The
 * session's organization can change in another tab.
 */
export const ORGANIZATION_HEADER = "x-platform-organization";

/** The same in the addresses of downloads and streams of events, which send no header. */
export const ORGANIZATION_PARAMETER = "organization";

/** The header in which the platform sends the tenant's credential to its core, beside `Authorization: Bearer <token>`. */
export const CORE_CREDENTIAL_HEADER = "x-api-key";
