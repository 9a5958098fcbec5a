export const ROLES = ["owner", "publisher", "operator"] as const;

export type Role = (typeof ROLES)[number];
