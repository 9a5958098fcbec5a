import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { isJson, prettyPrint } from "@/components/insight/call-log/call-text";
import { ROUTE_KIND_LABELS } from "@/components/insight/call-log/describe-call";
import { Badge, type Tone } from "@/components/ui/badge";
import { Spinner } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import { UserText } from "@/components/ui/values";
import { browserZone, writeTime } from "@/lib/domain/platform/zone";
import type { DevCall } from "../dev/contract/calls";
import { ReadList } from "./activity";

/** One call in one line: how it ended, what it was, and for whom. */
export function CallLine({ call }: { call: DevCall }) {
  const { kind, request, name, customerName, startedAt, ms, sender } = call;
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 text-small leading-5">
      <CallBadge call={call} />
      <span className="min-w-0 font-medium wrap-anywhere text-ink">
        {ROUTE_KIND_LABELS[kind]}{" "}
        <span translate="no" className="font-mono font-normal">
          {request.path}
        </span>
      </span>
      {name !== null && kind !== "lifecycle" && (
        <span translate="no" className="font-mono text-xs wrap-anywhere text-ink-soft">
          {name}
        </span>
      )}
      <span className="wrap-anywhere text-ink-soft">{customerName}</span>
      <span className="ml-auto flex gap-3 text-xs text-ink-faint tabular-nums">
        {sender !== "console" && <span>{SENDERS[sender]}</span>}
        {ms !== null && <span>{Math.round(ms)} ms</span>}
        <time dateTime={startedAt}>{writeTime(startedAt, "time", browserZone()).slice(0, 8)}</time>
      </span>
    </span>
  );
}

const SENDERS: Record<DevCall["sender"], string> = {
  console: "Console",
  terminal: "Terminal",
  drill: "Drill",
  platform: "Platform",
};

function CallBadge({ call: { done, failure, issues, response } }: { call: DevCall }) {
  const tone: Tone = !done
    ? "neutral"
    : failure !== null
      ? "danger"
      : issues.length > 0
        ? "warning"
        : "success";
  return <Badge tone={tone}>{response?.status ?? (done ? "No response" : "In progress")}</Badge>;
}

/** The response, why the call failed, the state reads made during the call, and the request. */
export function CallDetails({ call }: { call: DevCall }) {
  const { done, fault, failure, issues, response, request, reads } = call;
  if (!done)
    return (
      <p className="flex items-center gap-2 text-small text-ink-soft">
        <Spinner label="Waiting" />
        Waiting for the app…
      </p>
    );
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {failure !== null && (
        <Notice tone="danger" title={<UserText>{failure}</UserText>}>
          {fault !== null && (
            <code translate="no" className="font-mono text-xs">
              {fault}
            </code>
          )}
        </Notice>
      )}
      {issues.length > 0 && (
        <Notice tone="warning" title="The response doesn't match the documentation">
          <ul className="list-disc pl-4">
            {issues.map(({ pointer, message }, index) => (
              <li key={index}>
                {pointer !== "" && (
                  <code translate="no" className="mr-1 font-mono text-xs">
                    {pointer}
                  </code>
                )}
                <UserText>{message}</UserText>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {response !== null && (
        <Part title="Response">
          <BodyBlock label="response" body={response.body} absent="The response has no body." />
        </Part>
      )}
      <Part title={reads.length === 1 ? "1 state read" : `${reads.length} state reads`}>
        {reads.length === 0 ? (
          <p className="text-small leading-5 text-ink-faint">The app didn&apos;t read its state.</p>
        ) : (
          <ReadList reads={reads} showsCustomer={false} />
        )}
      </Part>
      <Folded title="Request">
        <CodeBlock
          label="request"
          code={[`${request.method} ${request.path}`, ...listHeaders(request.headers)].join("\n")}
          wrap
        />
        {request.body !== null && <BodyBlock label="payload" body={request.body} absent="" />}
      </Folded>
      {response !== null && (
        <Folded title="Response headers">
          <CodeBlock label="headers" code={listHeaders(response.headers).join("\n")} wrap />
        </Folded>
      )}
    </div>
  );
}

function listHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function BodyBlock({ label, body, absent }: { label: string; body: string | null; absent: string }) {
  if (body === null || body === "") return <p className="text-small leading-5 text-ink-faint">{absent}</p>;
  return <CodeBlock label={label} code={prettyPrint(body)} json={isJson(body)} wrap={!isJson(body)} />;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-small font-medium text-ink">{title}</h3>
      {children}
    </div>
  );
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group min-w-0">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-small font-medium text-ink-soft hover:text-ink">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {title}
      </summary>
      <div className="mt-2 flex min-w-0 flex-col gap-2">{children}</div>
    </details>
  );
}
