import { useMutation, useQuery } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { useState } from "react";
import { checkPayload } from "@/components/installations/console/check-payload";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { editablePayload } from "@/lib/domain/installations/sample-payload";
import type { DevRoute } from "../dev/contract/app";
import type { DevCall, DevCallInput, DevCustomer } from "../dev/contract/calls";
import { ALL, CallChoices, PayloadField, samplePath, useDraft } from "./call-form";
import { useConnection, useDev } from "./frame/connection";
import { PageLink, useUrl, withParameters } from "./frame/location";

interface CallEditorProps {
  routes: readonly DevRoute[];
  customers: readonly DevCustomer[];
  onSent: (ids: readonly string[]) => void;
}

const NO_BODY = ["GET", "HEAD", "DELETE"];

/** Which call, for whom, and with which payload. */
export function CallEditor({ routes, customers, onSent }: CallEditorProps) {
  const [draft, change] = useDraft();
  const [wasRefused, setRefused] = useState(false);
  const isLive = useConnection() === "live";
  const { state } = useDev("instance");
  const send = useSend(onSent);

  const route = routes.find((each) => each.route === draft.route) ?? routes[0]!;
  const chosen = customers.find(({ id }) => id === draft.customer);
  const customer = chosen ?? customers[0]!;
  const recipients = draft.customer === ALL ? customers : [customer];
  const name = route.names.find((each) => each === draft.names[route.route]) ?? route.names[0];
  const method = route.methods.find((each) => each === draft.methods[route.route]) ?? route.methods[0];
  const product = customer.products.find((each) => each === draft.product) ?? customer.products[0];
  const takesBody = method !== undefined && !NO_BODY.includes(method);
  const sample = useSample({ customer, route, name, product, isOn: takesBody });

  const key = [route.route, name, product].join(" ");
  const typed = draft.typed[key];
  const payload = typed ?? sample.data?.payload ?? "";
  const { parsed, issues } = checkPayload(payload, route);
  const isValid = !takesBody || parsed !== undefined;
  const type = (text: string | undefined) => {
    setRefused(false);
    const { [key]: _, ...others } = draft.typed;
    change({ typed: text === undefined ? others : { ...others, [key]: text } });
  };
  const submit = () => {
    setRefused(!isValid);
    if (!isValid || send.isPending || !isLive) return;
    send.mutate(
      recipients.map(({ id }): DevCallInput => ({
        customerId: id,
        route: route.route,
        name,
        method,
        path: route.kind === "endpoint" ? (draft.paths[route.route] ?? samplePath(route)) : undefined,
        // Without a payload, each customer gets a sample of its own product.
        text: takesBody && (typed !== undefined || recipients.length === 1) ? payload : undefined,
      })),
    );
  };
  return (
    <form
      noValidate
      className="flex min-w-0 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        submit();
      }}
    >
      <CallChoices
        routes={routes}
        customers={customers}
        route={route}
        customer={customer}
        name={name}
        method={method}
        product={product}
        draft={draft}
        change={change}
      />
      {takesBody && (
        <PayloadField
          label={route.kind === "webhook" ? "Event" : "Payload"}
          payload={payload}
          checked={{ parsed, issues }}
          isSample={typed === undefined}
          isLoading={sample.isPending}
          wasRefused={wasRefused}
          error={sample.error}
          onChange={type}
        />
      )}
      <MissingAnswers customers={recipients} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" tone="primary" isDisabled={!isLive} isPending={send.isPending}>
          <Zap aria-hidden className="size-4" />
          {recipients.length === 1 ? "Send" : `Send to ${recipients.length} customers`}
        </Button>
        <p className="text-small leading-5 text-ink-faint">
          {state === "ready"
            ? "You can also press Ctrl+Enter."
            : "The app isn't ready. You can send it anyway."}
        </p>
      </div>
      <ProblemNotice error={send.error} />
    </form>
  );
}

interface SampleChoice {
  customer: DevCustomer;
  route: DevRoute;
  name: string | undefined;
  product: string | undefined;
  isOn: boolean;
}

/** A payload of the customer's product that fits its mapping. */
function useSample({ customer, route, name, product, isOn }: SampleChoice) {
  const parameters = new URLSearchParams({ customer: customer.id, route: route.route });
  if (name !== undefined) parameters.set("name", name);
  if (product !== undefined) parameters.set("product", product);
  const { readAt } = useDev("manifest");
  return useQuery({
    queryKey: ["sample", parameters.toString(), customer.revision, readAt],
    queryFn: () =>
      callApi("GET", `/api/dev/sample?${parameters}`, {
        answer: async () => (await import("../dev/contract/calls")).devSample,
      }),
    enabled: isOn,
    staleTime: Infinity,
  });
}

/** On the platform, a customer can't launch an app without its required answers. */
function MissingAnswers({ customers }: { customers: readonly DevCustomer[] }) {
  const { href } = useUrl();
  const incomplete = customers.filter(({ configured }) => !configured);
  if (incomplete.length === 0) return null;
  return (
    <Notice tone="warning" title="Required answers are missing">
      The app doesn&apos;t receive them. On the platform, customers enter them before any call.
      <ul className="mt-1 list-disc pl-4">
        {incomplete.map(({ id, name, missing }) => (
          <li key={id}>
            <PageLink
              href={withParameters({ area: "customers", customer: id }, href)}
              className="font-medium text-accent-text underline"
            >
              Configure {name}
            </PageLink>
            : {missing.length} missing
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Sends calls side by side. `onSent` gets their ids, in the same order. */
export function useSend(onSent: (ids: readonly string[]) => void) {
  return useMutation({
    mutationFn: (calls: readonly DevCallInput[]) => Promise.all(calls.map(send)),
    onMutate: () => onSent([]),
    onSuccess: (calls) => onSent(calls.map(({ id }) => id)),
  });
}

function send(call: DevCallInput): Promise<DevCall> {
  return callApi("POST", "/api/dev/calls", {
    body: call,
    answer: async () => (await import("../dev/contract/calls")).devCall,
  });
}

/** The same call once more. An event gets a new id, so that the app doesn't take it for a repeated delivery. */
export function again({ customerId, route, kind, name, request }: DevCall): DevCallInput {
  const { method, path, body } = request;
  const isEndpoint = kind === "endpoint";
  return {
    customerId,
    route,
    name: name ?? undefined,
    method: isEndpoint ? method : undefined,
    path: isEndpoint ? path : undefined,
    // An endpoint takes any text.
    text: body === null || isEndpoint ? (body ?? undefined) : editablePayload(kind, body),
  };
}
