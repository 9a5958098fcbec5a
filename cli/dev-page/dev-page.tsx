import { Activity, Braces, FlaskConical, type LucideIcon, ScrollText, Unplug, Users } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { SavedToast } from "@/components/installations/configuration/saved-toast";
import { EmptyState, PageSkeleton } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LogArea, ReadsArea } from "./activity";
import { ConsoleArea } from "./console-area";
import { CustomersArea } from "./customers-area";
import { DrillsArea } from "./drills-area";
import { FollowEmulator, useConnection, useDev, useHasSnapshot } from "./frame/connection";
import { DevHeader, DevNotices } from "./frame/header";
import { PageLink, useUrl, withParameters } from "./frame/location";

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

interface Area {
  id: string;
  text: string;
  icon: LucideIcon;
}

/** The areas of the page. The open one is in the URL. */
function AreaTabs({ areas, current }: { areas: readonly Area[]; current: string }) {
  const { href } = useUrl();
  return (
    <nav
      aria-label="Areas"
      className="sticky top-0 z-30 -mx-4 mb-6 flex overflow-x-auto border-b border-line bg-ground px-2 pt-1 sm:mx-0 sm:gap-2 sm:px-0"
    >
      {areas.map(({ id, text, icon: Icon }) => (
        <PageLink
          key={id}
          href={withParameters({ area: id }, href)}
          aria-current={id === current ? "page" : undefined}
          className={`-mb-px inline-flex h-11 shrink-0 items-center gap-2 rounded-t-field border-b-2 px-2 text-small transition-colors focus-visible:-outline-offset-2 sm:px-3 sm:text-sm ${
            id === current
              ? "border-accent-text font-medium text-ink"
              : "border-transparent text-ink-soft hover:border-line-strong hover:text-ink"
          }`}
        >
          <Icon aria-hidden className="size-4 max-sm:hidden" />
          {text}
        </PageLink>
      ))}
    </nav>
  );
}

function DevSkeleton() {
  return (
    <main className="mx-auto w-full max-w-5xl px-4 py-10 sm:px-8">
      <PageSkeleton />
    </main>
  );
}

/** The page is open, but nothing has answered yet. */
function NeverConnected() {
  return (
    <main className="mx-auto w-full max-w-xl px-4 py-16">
      <h1 className="sr-only">platform-app dev</h1>
      <EmptyState
        icon={Unplug}
        title="platform-app dev isn't running"
        action={
          <div className="w-72 max-w-full text-left">
            <CodeBlock label="command" code="platform-app dev" />
          </div>
        }
      >
        Start it in the folder of your app. This page connects automatically.
      </EmptyState>
    </main>
  );
}

/** Room for two columns: Tailwind's `xl`. */
const wide = matchMedia("(min-width: 80rem)");

function subscribe(listener: () => void): () => void {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}

function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
