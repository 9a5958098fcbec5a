import { ChevronRight } from "lucide-react";
import { Button } from "react-aria-components";

/** Expands a row of a tree, or keeps its space in a row without children. */
export function TreeChevron({ isBranch }: { isBranch: boolean }) {
  if (!isBranch) return <span className="size-6 shrink-0" />;
  return (
    <Button
      slot="chevron"
      className="flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-sm text-ink-faint"
    >
      <ChevronRight aria-hidden className="size-4 transition-transform group-expanded:rotate-90" />
    </Button>
  );
}
