import type { ReactNode } from "react";
import type { ListingState, ListingVisibility, ReviewState } from "@/lib/contract/catalog/listing";
import type { InstallationStatus } from "@/lib/contract/insight/health";

export type Tone = "neutral" | "accent" | "success" | "warning" | "danger";

const TONES: Record<Tone, string> = {
  neutral: "border-line bg-subtle text-ink-soft",
  accent: "border-transparent bg-accent-soft text-accent-text",
  success: "border-success-line bg-success-soft text-success",
  warning: "border-warning-line bg-warning-soft text-warning",
  danger: "border-danger-line bg-danger-soft text-danger",
};

export function Badge({
  tone = "neutral",
  dot = false,
  children,
}: {
  tone?: Tone;
  dot?: boolean;
  children: ReactNode;
}) {
  return (
    <span className={`badge ${TONES[tone]}`}>
      {dot && <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-current" />}
      {children}
    </span>
  );
}

const STATES = {
  DRAFT: ["neutral", "Draft"],
  PUBLIC: ["success", "Public"],
  SUSPENDED: ["danger", "Suspended"],
  RETIRED: ["neutral", "Retired"],
  PENDING: ["warning", "In review"],
  APPROVED: ["success", "Approved"],
  CHANGES_REQUESTED: ["warning", "Changes requested"],
  REJECTED: ["danger", "Rejected"],
  WITHDRAWN: ["neutral", "Withdrawn"],
  LAUNCHING: ["accent", "Launching"],
  RUNNING: ["success", "Running"],
  DEGRADED: ["warning", "Degraded"],
  DOWN: ["danger", "Down"],
  ASLEEP: ["neutral", "Asleep"],
  ERROR: ["danger", "Error"],
  STOPPING: ["warning", "Stopping"],
  STOPPED: ["neutral", "Stopped"],
  UNINSTALLING: ["warning", "Uninstalling"],
  UNINSTALLED: ["neutral", "Uninstalled"],
} as const satisfies Record<ListingState | ReviewState | InstallationStatus, readonly [Tone, string]>;

const VISIBILITIES = {
  LINK: "Shown by link",
  NAMED: "Named organizations only",
} as const satisfies Record<Exclude<ListingVisibility, "EVERYONE">, string>;

/** Who sees a public listing, unless everyone does. */
export function VisibilityBadge({ visibility }: { visibility: ListingVisibility }) {
  return visibility === "EVERYONE" ? null : <Badge>{VISIBILITIES[visibility]}</Badge>;
}

/** The state of a listing or a review, or the status of an installation. */
export function StateBadge({ state }: { state: keyof typeof STATES }) {
  const [tone, text] = STATES[state];
  return (
    <Badge tone={tone} dot>
      {text}
    </Badge>
  );
}

/** Marks what no moderator verified. `isRefused`: its review has ended. */
export function PilotBadge({ isRefused = false }: { isRefused?: boolean }) {
  return (
    <Badge tone="warning">
      {isRefused ? "Pilot version: not approved" : "Pilot version: not reviewed yet"}
    </Badge>
  );
}
