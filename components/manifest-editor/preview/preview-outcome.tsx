import { Notice } from "@/components/ui/notice";
import type { PreviewState } from "./preview-values";

export function PreviewOutcome({ outcome }: Pick<PreviewState, "outcome">) {
  if (outcome === undefined) return null;
  if (outcome === "ready")
    return (
      <Notice tone="success" title="A customer could launch with this">
        Everything that the app needs is filled in. “What the app sees” shows what comes of it.
      </Notice>
    );
  return (
    <Notice title="This is where a launch would start">
      Nothing is launched from a preview. A Test Launch on the listing’s page runs the published version.
    </Notice>
  );
}
