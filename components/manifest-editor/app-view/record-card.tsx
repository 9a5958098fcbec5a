"use client";

import { KeyRound } from "lucide-react";
import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { useEditorStore } from "../use-editor";
import { recordJson } from "./state-record-of";
import type { AppView } from "./use-app-view";

/** The answer of the state API, whole. */
export function RecordCard({ view }: { view: AppView }) {
  const store = useEditorStore();
  const json = useMemo(() => recordJson(view.record), [view.record]);
  return (
    <Card
      title="State record"
      description={sourceText(view)}
      actions={
        <Button size="small" onPress={() => store.openTab("preview")}>
          Open Preview
        </Button>
      }
    >
      <CodeBlock code={json} label="State record" wrap maxHeight={640} />
      {view.secrets.length > 0 && <SecretsNote titles={view.secrets} />}
      <Members />
    </Card>
  );
}

function sourceText({ isExample, missing }: AppView): string {
  if (isExample) return "Nothing is typed in Preview yet, so these are examples.";
  if (missing === 0) return "With the values that are typed in Preview.";
  return "With the values that are typed in Preview. They are not complete: the platform would not launch with them.";
}

const NAMED = 3;

function SecretsNote({ titles }: { titles: readonly string[] }) {
  const rest = titles.length - NAMED;
  return (
    <p className="mt-3 flex gap-2 text-[13px] leading-5 text-ink-soft">
      <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 wrap-anywhere">
        {titles.slice(0, NAMED).map((title, index) => (
          <span key={index}>
            {index > 0 && ", "}
            <bdi className="font-medium text-ink">{title}</bdi>
          </span>
        ))}
        {rest > 0 && ` and ${rest} more`}
        {titles.length === 1
          ? " is secret: the app gets it in clear, and nobody else does. Here it is the example from Preview."
          : " are secret: the app gets them in clear, and nobody else does. Here they are the examples from Preview."}
      </span>
    </p>
  );
}

const MEMBERS = [
  ["settings", "By setting name. What a customer skipped is absent."],
  ["mappings", "One entry for each product of the customer: where it keeps each mapping field."],
  ["coreApiUrl", "The core's API for this customer."],
  ["tenantHostName", "The host name of the customer's tenant."],
  ["token", "For the core's API: a new one for each call, for 15 minutes. This one is an example."],
] as const;

function Members() {
  return (
    <dl className="mt-4 grid gap-x-4 gap-y-1.5 border-t border-line pt-4 text-[13px] leading-5 sm:grid-cols-[auto_1fr]">
      {MEMBERS.map(([name, meaning]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-ink max-sm:mt-1">{name}</dt>
          <dd className="text-ink-soft">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
