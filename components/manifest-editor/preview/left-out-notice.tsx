"use client";

import { Notice } from "@/components/ui/notice";
import { useEditor } from "../model/use-editor";

/** Why the preview does not show all that the text says. */
export function LeftOutNotice({ count }: { count: number }) {
  const isBlocked = useEditor((state) => state.outline.blocked.length > 0);
  if (isBlocked)
    return (
      <Notice tone="warning" title="The text cannot be read as a manifest now">
        Shown is what it said before it broke. The JSON tab marks the place.
      </Notice>
    );
  if (count === 0) return null;
  return (
    <Notice tone="warning" title={count === 1 ? "One entry is left out" : `${count} entries are left out`}>
      {count === 1 ? "It is not well-formed yet, or has" : "They are not well-formed yet, or have"} the name
      of another. The problems say what to mend.
    </Notice>
  );
}
