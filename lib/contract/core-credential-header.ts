/** The header in which the platform sends the tenant's credential to its core, beside `Authorization: Bearer <token>`. */
export const CORE_CREDENTIAL_HEADER = "x-api-key";
