"use client";

import { Notice } from "@/components/ui/notice";
import { useEditor } from "../model/use-editor";

/** Why the preview does not show the whole manifest. */
export function LeftOutNotice({ count }: { count: number }) {
  const isBlocked = useEditor((state) => state.outline.blocked.length > 0);
  if (isBlocked)
    return (
      <Notice tone="warning" title="The manifest cannot be read">
        The preview shows the last valid text. The JSON tab marks the error.
      </Notice>
    );
  if (count === 0) return null;
  return (
    <Notice tone="warning" title={count === 1 ? "1 entry is left out" : `${count} entries are left out`}>
      {count === 1 ? "It is not valid, or repeats a name." : "They are not valid, or repeat a name."} The
      problems panel shows how to fix {count === 1 ? "it" : "them"}.
    </Notice>
  );
}
