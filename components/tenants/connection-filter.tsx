import { FilterTabs } from "@/components/ui/list-controls";
import type { ConnectionState } from "@/lib/contract/tenant-view";

const SHOWN: readonly { connection: ConnectionState | ""; text: string }[] = [
  { connection: "", text: "All" },
  { connection: "connected", text: "Connected" },
  { connection: "failed", text: "Failed" },
  { connection: "untested", text: "Not tested" },
];

/** The filter stands in the URL, beside the search. */
export function ConnectionFilter({ connection, search }: { connection: string; search: string }) {
  return (
    <FilterTabs
      label="Filter by connection"
      options={SHOWN.map((option) => ({
        href: `/tenants?${new URLSearchParams({
          ...(search === "" ? {} : { q: search }),
          ...(option.connection === "" ? {} : { connection: option.connection }),
        })}`,
        text: option.text,
        current: option.connection === connection,
      }))}
    />
  );
}
