import { Badge } from "@/components/ui/badge";

/** Marks what no moderator verified. `isRefused`: its review has ended. */
export function PilotBadge({ isRefused = false }: { isRefused?: boolean }) {
  return (
    <Badge tone="warning">
      {isRefused ? "Pilot version: not approved" : "Pilot version: not reviewed yet"}
    </Badge>
  );
}
