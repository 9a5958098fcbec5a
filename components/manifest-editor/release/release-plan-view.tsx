"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ManifestChange } from "@/lib/domain/manifest/compare/compare-manifests";
import { capital, wordOf } from "../model/labels";
import { countOf } from "../problems/problem-labels";
import { jumpToNextProblem } from "../problems/problem-labels";
import { useEditorStore } from "../model/use-editor";
import type { ShownPlan } from "./release-plan";

const SHOWN = 20;

/** What will be released, or what stands in its way. */
export function ReleasePlanView({ plan, close }: { plan: ShownPlan; close: () => void }) {
  const store = useEditorStore();
  switch (plan.type) {
    case "loading":
    case "unsaved":
    case "failed":
      return null;
    case "no-image":
      return (
        <Notice title="There is no image yet">
          The first version comes with an image. Build one with this manifest, then publish it as below.
        </Notice>
      );
    case "broken":
      return (
        <Notice
          tone="danger"
          title={`Mend ${countOf(plan.errors, "error")} first`}
          actions={
            <Button
              size="small"
              onPress={() => {
                close();
                setTimeout(() => jumpToNextProblem(store, 1), 60);
              }}
            >
              Show the first
            </Button>
          }
        >
          A draft is saved with errors; a version has none.
        </Notice>
      );
    case "same":
      return (
        <Notice title="Nothing to release">
          Nothing has changed since version {plan.number}. The version number alone is no change.
        </Notice>
      );
    case "needs-image": {
      const stuck = plan.changes.filter(({ needsImage }) => needsImage);
      return (
        <Notice
          tone="warning"
          title={
            stuck.length === 1 ? "1 change needs a new image" : `${stuck.length} changes need a new image`
          }
        >
          <p>
            The code in the image may depend on them. Publish a new image as below, or undo them and release
            the rest.
          </p>
          <Changes changes={stuck} />
        </Notice>
      );
    }
    case "ready":
      return (
        <div>
          <p>
            Version <strong className="font-semibold text-ink tabular-nums">{plan.number}</strong> gets{" "}
            {countOf(plan.changes.length, "change")}. It has to be verified like any other, and installations
            stay on theirs until their operators upgrade.
          </p>
          <Changes changes={plan.changes} />
        </div>
      );
  }
}

function Changes({ changes }: { changes: readonly ManifestChange[] }) {
  return (
    <ul className="mt-2 list-disc space-y-1 pl-4 text-[13px] leading-5">
      {changes.slice(0, SHOWN).map((change, index) => (
        <li key={index} className="break-words">
          {changeText(change)}
        </li>
      ))}
      {changes.length > SHOWN && <li>and {changes.length - SHOWN} more, in the tab Changes</li>}
    </ul>
  );
}

function changeText({ kind, change, title, name, details }: ManifestChange): string {
  const what = kind === "app" ? "App" : `${capital(wordOf(kind))} "${title === "" ? name : title}"`;
  const members = change === "changed" ? details.map(({ member }) => member) : [];
  return `${what}: ${change}${members.length === 0 ? "" : ` (${members.slice(0, 5).join(", ")})`}`;
}
