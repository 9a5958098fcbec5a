import type { Role } from "@/lib/contract/role";

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
