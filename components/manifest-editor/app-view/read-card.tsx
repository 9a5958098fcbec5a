"use client";

import { useMemo, type ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CodeTabs } from "@/components/ui/code-tabs";
import { KEY_HEADER } from "@/lib/contract/names";
import type { SnippetFacts } from "./snippet-facts";
import { snippetsOf, STATE_COMMAND } from "./snippets";

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
