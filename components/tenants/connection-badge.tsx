import { Badge } from "@/components/ui/badge";
import type { ConnectionTest } from "@/lib/contract/core";

/** What the last test of a tenant's connection said. */
export function ConnectionBadge({ connection }: { connection: ConnectionTest | null }) {
  if (connection === null) return <Badge>Not tested</Badge>;
  return (
    <Badge tone={connection.ok ? "success" : "danger"} dot>
      {connection.ok ? "Connected" : "Connection failed"}
    </Badge>
  );
}
