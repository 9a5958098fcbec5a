import { FilterTabs } from "@/components/ui/page-header";

export const HISTORY_VIEWS = ["revisions", "secrets"] as const;
export type HistoryView = (typeof HISTORY_VIEWS)[number];

const TEXTS: Record<HistoryView, string> = { revisions: "Revisions", secrets: "Secrets" };

/** The two histories of an installation. The URL has the open one. */
export function HistoryTabs({ installationId, view }: { installationId: string; view: HistoryView }) {
  return (
    <FilterTabs
      label="History"
      options={HISTORY_VIEWS.map((each) => ({
        href: `/installations/${installationId}/history?view=${each}`,
        text: TEXTS[each],
        current: each === view,
      }))}
    />
  );
}
