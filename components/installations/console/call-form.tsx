"use client";

import { RotateCcw, WandSparkles, Zap } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import * as z from "zod";
import { prettyPrint, wholePayload } from "@/components/insight/call-log/call-text";
import { ROUTE_KIND_LABELS } from "@/components/insight/call-log/describe-call";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { SelectField } from "@/components/ui/forms/select-field";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { useSessionState } from "@/lib/client/session-state";
import { findCatalogEvent } from "@/lib/contract/calls/event-catalog";
import type { CallView, ProductSample } from "@/lib/contract/insight/call";
import type { InstallationView, RouteView } from "@/lib/contract/installations/installation-view";
import { docsPath } from "@/lib/contract/platform/docs-pages";
import { editablePayload, listNames, samplePayload } from "@/lib/domain/installations/sample-payload";
import { formatText } from "@/lib/domain/platform/json-text/text-format";
import { checkPayload, PayloadNotes } from "./check-payload";
import { useLoadCall } from "./console-data";
import { TestCallSteps, useTestCall } from "./send-test-call";
import { SentCalls } from "./sent-calls";

const JsonField = lazyPart(
  async () => (await import("@/components/platform/json-field")).JsonField,
  <Skeleton className="h-96 w-full" />,
);

const HINTS = {
  event:
    "Sent to every app of this tenant that subscribes to this event type. You'll see which ones before it's sent.",
  testEvent: "Sent to every Test Launch for this tenant that subscribes to this event type.",
  trialEvent: "Sent to this app only: no other app gets the events of a trial.",
  call: "Sent to this app only, as the core would. The records mark it as a test.",
};

function chooseEventHint({ trialEndsAt }: InstallationView, testOnly: boolean): keyof typeof HINTS {
  if (trialEndsAt !== null) return "trialEvent";
  return testOnly ? "testEvent" : "event";
}

interface CallFormProps {
  installation: InstallationView;
  products: readonly ProductSample[];
  /** Events go only to Test Launches, because the user may not operate anything else. */
  testOnly: boolean;
}

/** A route, a payload, what was sent before, and the result of the test call. Renders in the browser only. */
export function CallForm({ installation, products, testOnly }: CallFormProps) {
  const routes = installation.routes.filter(({ kind }) => kind !== "lifecycle" && kind !== "endpoint");
  const [drafts, change] = useDrafts(installation.id);
  const route = routes.find(({ routeId }) => routeId === drafts.routeId) ?? routes[0];
  const testCall = useTestCall(installation);
  const load = useLoadCall();
  const again = useSearchParams().get("again");
  const [isCut, setCut] = useState(false);

  const open = (call: CallView) => {
    const whole = wholePayload(call);
    const name = call.eventType ?? "";
    setCut(whole === undefined);
    change({
      routeId: call.routeId,
      names: { ...drafts.names, [call.routeId]: name },
      typed:
        whole === undefined
          ? drafts.typed
          : {
              ...drafts.typed,
              [`${call.routeId} ${name}`]: prettyPrint(editablePayload(call.kind, whole.text)),
            },
    });
  };
  const openAgain = useEffectEvent((id: string) => load.mutate(id, { onSuccess: open }));
  useEffect(() => {
    if (again !== null) openAgain(again);
  }, [again]);

  if (route === undefined)
    return (
      <p className="text-ink-soft">
        The app has no webhooks, autofill, or external raters, so there is nothing to call.
      </p>
    );
  return (
    <>
      <Editor
        route={route}
        routes={routes}
        installation={installation}
        products={products}
        drafts={drafts}
        change={(changed) => {
          setCut(false);
          change(changed);
        }}
        testOnly={testOnly}
        testCall={testCall}
      />
      {isCut && (
        <Notice tone="warning" title="The payload of that call was not recorded in full">
          This is a sample instead.
        </Notice>
      )}
      {load.error !== null && <ProblemNotice error={load.error} />}
      {testCall.asked === undefined && <ProblemNotice error={testCall.error} />}
      <TestCallSteps installation={installation} testCall={testCall} />
      <SentCalls installation={installation} onOpen={(id) => load.mutate(id, { onSuccess: open })} />
    </>
  );
}

interface EditorProps extends CallFormProps {
  route: RouteView;
  routes: readonly RouteView[];
  drafts: ReturnType<typeof useDrafts>[0];
  change: ReturnType<typeof useDrafts>[1];
  testCall: ReturnType<typeof useTestCall>;
}

function Editor(props: EditorProps) {
  const { route, routes, installation, products, drafts, change, testOnly, testCall } = props;
  const [wasRefused, setRefused] = useState(false);
  const { routeId, kind } = route;
  const names = listNames(route);
  const name = drafts.names[routeId] ?? names[0];
  const draft = `${routeId} ${name ?? ""}`;
  const product = products.find((each) => each.name === drafts.product) ?? products[0];
  const sample = samplePayload({ route, name, product }, installation.configuration);
  const payload = drafts.typed[draft] ?? sample;
  const { parsed, issues } = checkPayload(payload, route);
  const type = (text: string) => {
    setRefused(false);
    change({ typed: { ...drafts.typed, [draft]: text } });
  };
  const reset = () => {
    const { [draft]: _, ...others } = drafts.typed;
    change({ typed: others });
  };
  const isRunning = installation.state === "RUNNING";
  const submit = () => {
    setRefused(parsed === undefined);
    if (parsed !== undefined && isRunning && !testCall.isPending) testCall.submit(route, payload);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          label="Route"
          isRequired
          options={routes.map(({ routeId: value, kind: each, path, name: title }) => ({
            value,
            text: `${ROUTE_KIND_LABELS[each]} ${path}`,
            detail: title === "" ? undefined : title,
          }))}
          value={routeId}
          onChange={(chosen) => change({ routeId: chosen })}
        />
        {names.length > 0 && name !== undefined && (
          <SelectField
            label={kind === "webhook" ? "Event type" : "Operation"}
            isRequired
            options={[...new Set([...names, name])].map((value) => ({
              value,
              text: value,
              detail: kind === "webhook" ? findCatalogEvent(value)?.title : undefined,
            }))}
            value={name}
            onChange={(chosen) => change({ names: { ...drafts.names, [routeId]: chosen } })}
          />
        )}
        {products.length > 0 && (
          <SelectField
            label="Product"
            isRequired
            options={products.map((each) => ({ value: each.name, text: each.name }))}
            value={product?.name}
            onChange={(chosen) => change({ product: chosen })}
          />
        )}
      </div>
      <JsonField
        key={draft}
        label={kind === "webhook" ? "Event" : "Payload"}
        value={payload}
        onChange={type}
        onSubmit={submit}
        issues={issues}
        notes={<PayloadNotes issues={issues} isBroken={parsed === undefined} wasRefused={wasRefused} />}
        actions={
          <>
            {payload !== sample && (
              <Button tone="quiet" size="small" onPress={reset}>
                <RotateCcw aria-hidden className="size-4" />
                Reset
              </Button>
            )}
            <Button
              tone="quiet"
              size="small"
              isDisabled={parsed === undefined}
              onPress={() => type(formatText(payload))}
            >
              <WandSparkles aria-hidden className="size-4" />
              Format
            </Button>
          </>
        }
      />
      {!isRunning && <Notice>You can send test calls once the app is running.</Notice>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          tone="primary"
          isDisabled={!isRunning}
          isPending={testCall.isPending && testCall.asked === undefined}
        >
          <Zap aria-hidden className="size-4" />
          Send test call
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-small leading-5 text-ink-faint">
          {HINTS[kind === "webhook" ? chooseEventHint(installation, testOnly) : "call"]}
          {kind === "webhook" && (
            <>
              {" "}
              Payloads are in the <TextLink href={docsPath("events")}>event catalog</TextLink>.
            </>
          )}
        </p>
      </div>
    </form>
  );
}

const drafts = z.object({
  routeId: z.string(),
  /** Event type or operation, by route. */
  names: z.record(z.string(), z.string()),
  product: z.string(),
  /** The typed payloads, by route and name. */
  typed: z.record(z.string(), z.string()),
});
type Drafts = z.infer<typeof drafts>;

const EMPTY: Drafts = { routeId: "", names: {}, product: "", typed: {} };

/** The choices and payloads of a console, kept until the browser tab is closed. Render it in the browser only. */
function useDrafts(installationId: string): [Drafts, (changed: Partial<Drafts>) => void] {
  return useSessionState(`console:${installationId}`, drafts, EMPTY);
}
