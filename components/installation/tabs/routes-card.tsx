import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { ShortId } from "@/components/ui/short-id";
import type { RouteView } from "@/lib/contract/installation-view";
import { ROUTE_KIND_LABELS } from "@/components/call/route-kinds";

/** The routes that the core calls, with their ids and URLs. The platform itself calls the lifecycle hooks. */
export function RoutesCard({ routes }: { routes: RouteView[] }) {
  const coreRoutes = routes.filter((route) => route.kind !== "lifecycle");
  if (coreRoutes.length === 0) return null;
  return (
    <Card
      title="Routes"
      description="The core calls the app for this tenant here, with the tenant's credential."
      flush
    >
      <ul className="divide-y divide-line border-t border-line">
        {coreRoutes.map((route) => (
          <li key={route.routeId} className="flex flex-col gap-2 px-4 py-4 sm:px-6">
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone="accent">{ROUTE_KIND_LABELS[route.kind]}</Badge>
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
              {route.kind !== "webhook" && <Line name="URL" value={route.address} />}
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
      <ShortId value={value} label={name} />
    </>
  );
}
