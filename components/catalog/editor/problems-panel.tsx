"use client";

import { ChevronDown, CircleAlert, CircleCheck, Lightbulb, TriangleAlert } from "lucide-react";
import { memo, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { LearnMore } from "@/components/ui/notice";
import { type Issue, SEVERITIES, type Severity } from "@/lib/contract/platform/problem";
import { useEditor, useEditorStore } from "./model/editor-store";
import { capitalize } from "./model/entry-labels";
import { countProblems, locationText } from "./model/labels";

const INITIAL_COUNT = 50;
const PANEL_ID = "manifest-problems";

/** The number of problems; opens the panel. */
export function ProblemsToggle({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  const issues = useEditor((state) => state.issues);
  if (issues.length === 0 && !isOpen) {
    return (
      <p className="flex h-8 items-center gap-1.5 px-2 text-small whitespace-nowrap text-ink-faint">
        <CircleCheck aria-hidden className="size-4 text-success" />
        {countProblems(issues)}
      </p>
    );
  }
  const { icon: Icon, tone } = getStyle(issues);
  return (
    <Button
      tone="quiet"
      size="small"
      className="px-2"
      aria-expanded={isOpen}
      aria-controls={isOpen ? PANEL_ID : undefined}
      onPress={toggle}
    >
      <Icon aria-hidden className={`size-4 ${tone}`} />
      {countProblems(issues)}
      <ChevronDown
        aria-hidden
        className={`hidden size-4 transition-transform @min-[37.5rem]:block ${isOpen ? "rotate-180" : ""}`}
      />
    </Button>
  );
}

const STYLES = {
  error: { icon: CircleAlert, tone: "text-danger" },
  warning: { icon: TriangleAlert, tone: "text-warning" },
  hint: { icon: Lightbulb, tone: "text-ink-soft" },
} as const satisfies Record<Severity, unknown>;

/** The style of the most severe issue. */
function getStyle(issues: readonly Issue[]) {
  const worst = SEVERITIES.find((each) => issues.some(({ severity = "error" }) => severity === each));
  return worst === undefined ? { icon: CircleCheck, tone: "text-success" } : STYLES[worst];
}

/** Lists all problems. Selecting one focuses its field or its place in the text. */
export function ProblemsPanel({ onJump }: { onJump: () => void }) {
  const store = useEditorStore();
  const issues = useEditor((state) => state.issues);
  const [showsAll, setShowsAll] = useState(false);
  const { entries } = store.getState().outline;
  const shown = showsAll ? issues : issues.slice(0, INITIAL_COUNT);
  return (
    <section
      id={PANEL_ID}
      aria-label="Problems"
      className="mt-4 max-h-[38vh] arrive overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-high"
    >
      {issues.length === 0 && <p className="px-3 py-2 text-small text-ink-faint">No problems</p>}
      <ul>
        {shown.map((issue, index) => (
          <li key={index} className="flex items-start gap-2 rounded-field hover:bg-hover">
            <AriaButton
              onPress={() => {
                onJump();
                store.jumpTo(issue);
              }}
              className="flex min-w-0 flex-1 cursor-pointer items-start gap-2.5 rounded-field px-3 py-2 text-left focus-visible:-outline-offset-2"
            >
              <ProblemRow issue={issue} location={locationText(issue.pointer, entries)} />
            </AriaButton>
            <LearnMore code={issue.code} className="mt-2 mr-3 leading-5" />
          </li>
        ))}
      </ul>
      {shown.length < issues.length && (
        <Button tone="quiet" size="small" className="mt-1" onPress={() => setShowsAll(true)}>
          Show all {issues.length}
        </Button>
      )}
    </section>
  );
}

const ProblemRow = memo(function ProblemRow({ issue, location }: { issue: Issue; location: string }) {
  const { severity = "error", message, hint, line, column } = issue;
  const { icon: Icon, tone } = STYLES[severity];
  return (
    <>
      <Icon aria-label={capitalize(severity)} className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <span className="min-w-0 flex-1 text-small leading-5 break-words">
        <span className="block text-ink">{message}</span>
        {hint !== undefined && <span className="block text-ink-soft">{hint}</span>}
        <span className="block text-xs text-ink-faint">
          {location}
          {line !== undefined && column !== undefined && (
            <span translate="no" className="ml-2 font-mono tabular-nums">
              {line}:{column}
            </span>
          )}
        </span>
      </span>
    </>
  );
});
