import { Activity, Braces, FlaskConical, ScrollText, Users } from "lucide-react";
import { useEffect } from "react";
import { SavedToast } from "@/components/installation/saved-toast";
import { FollowEmulator, useConnection, useDev, useHasSnapshot } from "./connection/dev-context";
import { ConsoleArea } from "./console/console-area";
import { CustomersArea } from "./customers/customers-area";
import { DrillsArea } from "./drills/drills-area";
import { AreaTabs, type Area } from "./frame/area-tabs";
import { useUrl } from "./frame/location";
import { DevSkeleton, NeverConnected } from "./frame/start-states";
import { useIsWide } from "./frame/use-is-wide";
import { DevHeader } from "./header/dev-header";
import { DevNotices } from "./header/dev-notices";
import { LogArea } from "./log/log-area";
import { ReadsArea } from "./reads/reads-area";

const MAIN: readonly Area[] = [
  { id: "console", text: "Console", icon: Braces },
  { id: "customers", text: "Customers", icon: Users },
  { id: "drills", text: "Drills", icon: FlaskConical },
];
/** On a wide screen, these are beside the others. */
const ASIDE: readonly Area[] = [
  { id: "reads", text: "State reads", icon: Activity },
  { id: "log", text: "Log", icon: ScrollText },
];

export function DevPage() {
  return (
    <FollowEmulator>
      <SavedToast>
        <LoadedPage />
      </SavedToast>
    </FollowEmulator>
  );
}

function LoadedPage() {
  const isLoaded = useHasSnapshot();
  const connection = useConnection();
  if (isLoaded) return <Workbench />;
  return connection === "lost" ? <NeverConnected /> : <DevSkeleton />;
}

function Workbench() {
  const isWide = useIsWide();
  const { title } = useDev("manifest");
  const areas = isWide ? MAIN : [...MAIN, ...ASIDE];
  const asked = useUrl().searchParams.get("area");
  const { id, text } = areas.find((area) => area.id === asked) ?? MAIN[0]!;
  useEffect(() => {
    document.title = `${text} · ${title} · platform-app dev`;
  }, [text, title]);
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-[1680px] flex-col px-4 sm:px-6">
      <DevHeader />
      <DevNotices />
      <div className="grid min-w-0 flex-1 gap-8 xl:grid-cols-[minmax(0,1fr)_minmax(24rem,32rem)]">
        <main id="main" className="min-w-0 pb-8">
          <AreaTabs areas={areas} current={id} />
          <h1 className="sr-only">{text}</h1>
          <AreaContent id={id} />
        </main>
        {isWide && (
          <aside
            aria-label="Activity"
            className="sticky top-4 mb-4 grid h-[calc(100dvh-7rem)] min-h-96 grid-rows-2 gap-4"
          >
            <ReadsArea isPanel />
            <LogArea isPanel />
          </aside>
        )}
      </div>
    </div>
  );
}

function AreaContent({ id }: { id: string }) {
  switch (id) {
    case "customers":
      return <CustomersArea />;
    case "drills":
      return <DrillsArea />;
    case "reads":
      return <ReadsArea />;
    case "log":
      return <LogArea />;
    default:
      return <ConsoleArea />;
  }
}
