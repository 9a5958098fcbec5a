"use client";

import { Zap } from "lucide-react";
import { useState } from "react";
import { ROUTE_KIND_LABELS } from "@/components/insight/call-log/describe-call";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/forms/confirm-dialog";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { ProductSample } from "@/lib/contract/insight/call";
import type { InstallationView, RouteView } from "@/lib/contract/installations/installation-view";
import { listNames, samplePayload } from "@/lib/domain/installations/sample-payload";
import { useProductSamples } from "./console-data";
import { TestCallSteps, useTestCall } from "./send-test-call";

/** A sample call for each route, to send with one click. The console has the same calls to edit. */
export function SampleCalls({ installation }: { installation: InstallationView }) {
  const { data, isPending } = useProductSamples(installation.id);
  const routes = installation.routes.filter(({ kind }) => kind !== "lifecycle");
  if (routes.length === 0)
    return (
      <p className="text-ink-soft">
        The app has no webhooks, autofill, or external raters, so there is nothing to call.
      </p>
    );
  // Waits for the tenant's products, so that every sample has the data that the app expects.
  if (isPending) return <Skeleton className="h-24 w-full" />;
  return <Samples installation={installation} routes={routes} product={data?.products[0]} />;
}

interface SamplesProps {
  installation: InstallationView;
  routes: readonly RouteView[];
  product: ProductSample | undefined;
}

function Samples({ installation, routes, product }: SamplesProps) {
  const testCall = useTestCall(installation);
  const [chosen, setChosen] = useState<RouteView>();
  /** A call to production that waits for its sender. Events ask by themselves, with their recipients. */
  const [isAsking, setAsking] = useState(false);
  const send = (route: RouteView) =>
    testCall.submit(
      route,
      samplePayload({ route, name: listNames(route)[0], product }, installation.configuration),
    );
  const choose = (route: RouteView) => {
    setChosen(route);
    if (!installation.test && route.kind !== "webhook") setAsking(true);
    else send(route);
  };
  const isRunning = installation.state === "RUNNING";
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <ul aria-label="Sample calls" className="divide-y divide-line rounded-field border border-line">
        {routes.map((route) => (
          <li key={route.routeId} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 pr-2 pl-3">
            <span className="shrink-0 sm:w-28">
              <Badge tone="accent">{ROUTE_KIND_LABELS[route.kind]}</Badge>
            </span>
            <span className="min-w-0 flex-1 basis-40">
              <code translate="no" className="font-mono text-small wrap-anywhere text-ink">
                {route.path}
              </code>
              <span className="block text-small wrap-anywhere text-ink-faint">
                {listNames(route)[0] ?? route.name}
              </span>
            </span>
            <Button
              size="small"
              aria-label={`Send a sample call to ${route.path}`}
              isDisabled={!isRunning || route.ended}
              isPending={
                testCall.isPending && chosen?.routeId === route.routeId && testCall.asked === undefined
              }
              onPress={() => choose(route)}
            >
              <Zap aria-hidden className="size-4" />
              Send
            </Button>
          </li>
        ))}
      </ul>
      {!isRunning && (
        <p className="text-small text-ink-faint">You can send sample calls once the app is running.</p>
      )}
      {testCall.asked === undefined && !isAsking && <ProblemNotice error={testCall.error} />}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={() => setAsking(false)}
        title={`Send a test call to ${installation.tenant.name}?`}
        confirmText="Send test call"
        tone="primary"
        onConfirm={() => {
          setAsking(false);
          if (chosen !== undefined) send(chosen);
        }}
        isPending={false}
        error={null}
      >
        This installation is in production. The app handles the call like a real one from the core, with your
        settings: it may look up data, send messages, or incur costs. In the records, the call is marked as a
        test.
      </ConfirmDialog>
      <TestCallSteps installation={installation} testCall={testCall} />
    </div>
  );
}
