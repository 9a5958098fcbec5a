"use client";

import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import type { CreatedApiKey } from "@/lib/contract/api-key";

/** A new key. It is only in the page's memory. */
export function ShownOnce({ apiKey }: { apiKey: CreatedApiKey }) {
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <Notice tone="warning" title="Copy the API Key now">
        You won&apos;t see it again: only a hash of it is stored.
      </Notice>
      <div>
        <p className="mb-1.5 text-[13px] font-medium text-ink">Client ID</p>
        <CodeBlock label="Client ID" wrap code={apiKey.clientId} />
      </div>
      <div>
        <p className="mb-1.5 text-[13px] font-medium text-ink">API Key</p>
        <CodeBlock label="API Key" wrap code={apiKey.apiKey} />
      </div>
    </div>
  );
}
