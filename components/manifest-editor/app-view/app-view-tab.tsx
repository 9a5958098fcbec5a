"use client";

import { LeftOutNotice } from "../preview/left-out-notice";
import { ReadCard } from "./read-card";
import { RecordCard } from "./record-card";
import { useAppView } from "./use-app-view";

/** What an app gets for the values of the preview, and how it gets it. */
export function AppViewTab() {
  const view = useAppView();
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <LeftOutNotice count={view.leftOut} />
      <div className="grid min-w-0 items-start gap-4 @min-[1000px]:grid-cols-[2fr_3fr]">
        <RecordCard view={view} />
        <ReadCard facts={view.facts} />
      </div>
    </div>
  );
}
