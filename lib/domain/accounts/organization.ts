import type { Role } from "@/lib/contract/platform/role";

interface RoleChoice {
  value: Role;
  text: string;
  detail: string;
}

/** The roles as people choose them. */
export const ROLE_CHOICES: readonly RoleChoice[] = [
  { value: "owner", text: "Owner", detail: "Everything, including members, tenants, and settings" },
  { value: "publisher", text: "Publisher", detail: "Publishes apps, and configures and runs Test Launches" },
  { value: "operator", text: "Operator", detail: "Configures, launches, and watches apps" },
];

export function roleText(role: Role): string {
  return ROLE_CHOICES.find(({ value }) => value === role)?.text ?? role;
}

/** Such as "an owner". */
export function asRole(role: Role): string {
  return `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
}

/** Suggests a slug: "Håbor Mutual, Inc." → "habor-mutual-inc". Empty if the name has no Latin letter. */
export function suggestSlug(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 40)
    .replace(/-+$/, "");
}

export type ApiKeyState = "ACTIVE" | "EXPIRES_SOON" | "EXPIRED" | "REVOKED";

const SOON_MS = 7 * 24 * 60 * 60_000;

/** What a list shows of a key at the time `now`, in milliseconds. */
export function apiKeyState(
  { revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null },
  now: number,
): ApiKeyState {
  if (revokedAt !== null) return "REVOKED";
  if (expiresAt === null) return "ACTIVE";
  const left = expiresAt.getTime() - now;
  if (left <= 0) return "EXPIRED";
  return left < SOON_MS ? "EXPIRES_SOON" : "ACTIVE";
}
