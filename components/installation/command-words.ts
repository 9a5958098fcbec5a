import type { InstallationState } from "@/lib/contract/installation";

/** What a stop does. */
export const STOPPED_BY_COMMAND = [
  "The core's calls are refused at once, until it is started again.",
  "The keys of its calls are dead within a second, also of those under way.",
  "The app's stop hook is called, if it has one.",
  "Its configuration and its secrets are kept.",
];

/** What an uninstall does, in the order in which it happens. */
export function removedFrom(state: InstallationState): string[] {
  return [
    state === "RUNNING"
      ? "The core's calls are refused at once, and the keys of its calls are dead within a second."
      : "The keys of its calls are dead within a second.",
    "The app's stop and uninstall hooks are called, if it has them. A failure there does not hold the removal up.",
    "Its settings and secrets are removed, and its routes end.",
    "Who did what and when is kept, in its history and in the audit. Neither holds a secret.",
  ];
}
