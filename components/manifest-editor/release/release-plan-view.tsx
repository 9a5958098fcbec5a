"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ManifestChange } from "@/lib/domain/manifest/compare/compare-manifests";
import { capitalize, countText, nameEntry } from "../model/labels";
import { useEditorStore } from "../model/use-editor";
import { jumpToNextProblem } from "../problems/problem-labels";
import type { ShownPlan } from "./release-plan";

/** What the release contains, or what prevents it. */
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
          The first version needs an image. Build and publish one with this manifest as shown below.
        </Notice>
      );
    case "broken":
      return (
        <Notice
          tone="danger"
          title={`Fix ${countText(plan.errors, "error")} first`}
          actions={
            <Button
              size="small"
              onPress={() => {
                close();
                // After the closing dialog has returned the focus.
                setTimeout(() => jumpToNextProblem(store, 1), 60);
              }}
            >
              Show the first problem
            </Button>
          }
        >
          A draft may contain errors; a version can&apos;t.
        </Notice>
      );
    case "same":
      return (
        <Notice title="Nothing to release">
          Nothing has changed since version {plan.number}. A different version number is not a change.
        </Notice>
      );
    case "needs-image": {
      const changes = plan.changes.filter(({ needsImage }) => needsImage);
      return (
        <Notice
          tone="warning"
          title={
            changes.length === 1 ? "1 change needs a new image" : `${changes.length} changes need a new image`
          }
        >
          <p>
            The app&apos;s code may depend on them. Publish a new image as shown below, or undo them and
            release the rest.
          </p>
          <Changes changes={changes} />
        </Notice>
      );
    }
    case "ready":
      return (
        <div>
          <p>
            Version <strong className="font-semibold text-ink tabular-nums">{plan.number}</strong> contains{" "}
            {countText(plan.changes.length, "change")}. It needs verification like any other version, and
            installations keep their version until their operators upgrade.
          </p>
          <Changes changes={plan.changes} />
        </div>
      );
  }
}

const MAX_CHANGES = 20;

function Changes({ changes }: { changes: readonly ManifestChange[] }) {
  return (
    <ul className="mt-2 list-disc space-y-1 pl-4 text-[13px] leading-5">
      {changes.slice(0, MAX_CHANGES).map((change, index) => (
        <li key={index} className="break-words">
          {describeChange(change)}
        </li>
      ))}
      {changes.length > MAX_CHANGES && <li>and {changes.length - MAX_CHANGES} more in the Changes tab</li>}
    </ul>
  );
}

function describeChange({ kind, change, title, name, details }: ManifestChange): string {
  const subject = kind === "app" ? "App" : `${capitalize(nameEntry(kind))} "${title === "" ? name : title}"`;
  const members = change === "changed" ? details.slice(0, 5).map(({ member }) => member) : [];
  return `${subject}: ${change}${members.length === 0 ? "" : ` (${members.join(", ")})`}`;
}
