import Link from "next/link";
import { INSTALLATION_STATES, type InstallationState } from "@/lib/contract/installation";

const SHOWN: Record<InstallationState, string | undefined> = {
  LAUNCHING: "Launching",
  RUNNING: "Running",
  ERROR: "Error",
  STOPPING: undefined,
  STOPPED: "Stopped",
  UNINSTALLING: undefined,
  UNINSTALLED: "Uninstalled",
};

/** The filter stands in the URL; states that pass within seconds are not offered. */
export function StateFilter({ state, search }: { state: string; search: string }) {
  const entries = INSTALLATION_STATES.flatMap((value) =>
    SHOWN[value] === undefined ? [] : [{ value: String(value), text: SHOWN[value] }],
  );
  return (
    <nav aria-label="Filter by state" className="flex max-w-full gap-1 overflow-x-auto">
      {[{ value: "", text: "All" }, ...entries].map(({ value, text }) => (
        <Link
          key={value}
          href={`/installations?${new URLSearchParams({ ...(search === "" ? {} : { q: search }), ...(value === "" ? {} : { state: value }) })}`}
          aria-current={value === state ? "true" : undefined}
          className={`flex h-8 shrink-0 items-center rounded-full px-3 text-[13px] ${
            value === state ? "bg-accent-soft font-medium text-accent-text" : "text-ink-soft hover:bg-hover"
          }`}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
