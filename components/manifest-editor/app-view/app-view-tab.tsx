"use client";

import { LeftOutNotice } from "../preview/left-out-notice";
import { type AppView, useAppView } from "./use-app-view";
import { type ReactNode, useMemo } from "react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeTabs } from "@/components/ui/code-tabs";
import { KEY_HEADER } from "@/lib/contract/names";
import type { SnippetFacts } from "./snippet-text";
import { snippetsOf, STATE_COMMAND } from "./snippets";
import { KeyRound } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useEditorStore } from "../model/use-editor";
import { recordJson } from "./state-record";

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

/** How an app gets its state: by hand, and in code. */
export function ReadCard({ facts }: { facts: SnippetFacts }) {
  const tabs = useMemo(
    () =>
      snippetsOf(facts).map(({ id, language, code }) => ({
        id,
        title: language,
        code,
        label: `App in ${language}`,
      })),
    [facts],
  );
  return (
    <Card
      title="Read it"
      description="Each call of the platform carries a key. The key opens one state record."
    >
      <h3 className="mb-2 text-[13px] font-medium text-ink">By hand</h3>
      <CodeBlock code={STATE_COMMAND} label="Command" wrap />
      <ul className="mt-3 mb-6 space-y-1 text-[13px] leading-5 text-ink-soft">
        <li>
          <Code>KEY</Code> is the header <Code>{KEY_HEADER}</Code> of the call that the app is serving. It
          opens that customer&apos;s state alone, for as long as the call may take.
        </li>
        <li>
          <Code>PLATFORM_STATE_API</Code> is in the container&apos;s environment: an address with no path.
        </li>
      </ul>
      <h3 className="mb-2 text-[13px] font-medium text-ink">In code</h3>
      <CodeTabs label="Language" tabs={tabs} maxHeight={640} />
      <p className="mt-3 text-[13px] leading-5 text-ink-soft">
        Each is a whole app: it listens on <Code>PLATFORM_PORT</Code>, answers <Code>GET /health</Code>, and
        serves <Code>POST {facts.path}</Code>.
      </p>
    </Card>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-xs wrap-anywhere text-ink">{children}</code>;
}

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
