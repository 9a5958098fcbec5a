/** The automatic checks, in the order in which they are shown. Comments are anchored to these names. */
export const CHECK_NAMES = [
  "architecture",
  "image-settings",
  "port",
  "health",
  "hooks",
  "routes",
  "state",
  "customers",
  "secrets",
  "restart",
  "start-time",
  "memory",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];
