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

/**
 * The addresses of a list that was typed or pasted, each once: separated by commas, semicolons or line breaks, with or without a name as
 * in “Li Wang <li@acme.example>”.
 */
export function listAddresses(text: string): string[] {
  const found = new Map<string, string>();
  for (const part of text.split(/[,;\r\n]+/)) {
    const address = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim();
    const key = address.toLowerCase();
    if (address !== "" && !found.has(key)) found.set(key, address);
  }
  return [...found.values()];
}

/** Of a person's name, so that the longest one leaves room for what follows it. */
const NAME_CHARACTERS = 40;
const SLUG_CHARACTERS = 30;

/**
 * Suggests an organization for a person who has none and wants to try an app. Names and addresses can be shared by many people:
 * `distinct`, a few letters and digits, keeps their slugs apart.
 */
export function suggestOwnOrganization(person: string, distinct: string) {
  const name = [...person.trim()].slice(0, NAME_CHARACTERS).join("").trim();
  const slug = suggestSlug(name).slice(0, SLUG_CHARACTERS).replace(/-+$/, "") || "trial";
  return { organizationName: `${name}'s organization`, organizationSlug: `${slug}-${distinct}` };
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
