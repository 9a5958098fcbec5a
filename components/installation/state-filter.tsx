import { FilterTabs } from "@/components/ui/list-controls";
import type { InstallationState } from "@/lib/contract/installation";

/** States that pass within seconds are not offered. */
const SHOWN: readonly { state: InstallationState | ""; text: string }[] = [
  { state: "", text: "All" },
  { state: "LAUNCHING", text: "Launching" },
  { state: "RUNNING", text: "Running" },
  { state: "ERROR", text: "Error" },
  { state: "STOPPED", text: "Stopped" },
  { state: "UNINSTALLED", text: "Uninstalled" },
];

/** The filter stands in the URL, beside the search. */
export function StateFilter({ state, search }: { state: string; search: string }) {
  return (
    <FilterTabs
      label="Filter by state"
      options={SHOWN.map((option) => ({
        href: `/installations?${new URLSearchParams({
          ...(search === "" ? {} : { q: search }),
          ...(option.state === "" ? {} : { state: option.state }),
        })}`,
        text: option.text,
        current: option.state === state,
      }))}
    />
  );
}
