import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/code-block";
import type { RouteView } from "@/lib/contract/installation-view";
import { KIND_WORDS } from "@/components/console/route-kinds";

/** Each route that the core knows, with its id and, where it calls directly, the address. Hooks are the platform's own. */
export function RoutesCard({ routes }: { routes: RouteView[] }) {
  const ofCore = routes.filter((route) => route.kind !== "lifecycle");
  if (ofCore.length === 0) return null;
  return (
    <Card
      title="Routes"
      description="Where the core reaches the app for this tenant, with the tenant's credential."
      flush
    >
      <ul className="divide-y divide-line border-t border-line">
        {ofCore.map((route) => (
          <li key={route.routeId} className="flex flex-col gap-2 px-4 py-4 sm:px-6">
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone="accent">{KIND_WORDS[route.kind]}</Badge>
              <span className="font-mono text-[13px] text-ink">{route.path}</span>
              {route.name !== "" && <span className="text-ink-soft">{route.name}</span>}
              {route.ended && <Badge tone="danger">Ended by the app</Badge>}
            </div>
            {route.patterns.length > 0 && (
              <p className="text-[13px] text-ink-faint">
                {route.kind === "webhook" ? "Events" : "Operations"}:{" "}
                <span className="font-mono break-words">{route.patterns.join(", ")}</span>
              </p>
            )}
            <div className="grid gap-x-4 gap-y-1 text-[13px] sm:grid-cols-[5rem_minmax(0,1fr)]">
              <Line name="routeId" value={route.routeId} />
              {route.kind !== "webhook" && <Line name="Address" value={route.address} />}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <>
      <span className="self-center text-ink-faint">{name}</span>
      <span className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 font-mono break-all text-ink">{value}</code>
        <CopyButton text={value} label={`Copy ${name}`} />
      </span>
    </>
  );
}
