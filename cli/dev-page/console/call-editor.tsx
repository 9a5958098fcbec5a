import { useQuery } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { useState } from "react";
import { checkPayload } from "@/components/console/check-payload";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { DevCallInput } from "@/cli/dev/contract/calls";
import type { DevCustomer } from "@/cli/dev/contract/customers";
import type { DevRoute } from "@/cli/dev/contract/manifest";
import { callApi } from "@/lib/client/api";
import { useConnection, useDev } from "../connection/dev-context";
import { CallChoices, samplePath } from "./call-choices";
import { MissingAnswers } from "./missing-answers";
import { PayloadField } from "./payload-field";
import { ALL, useDraft } from "./use-draft";
import { useSend } from "./use-send";

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
        payload: takesBody && (typed !== undefined || recipients.length === 1) ? toJson(payload) : undefined,
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
      <CallChoices {...{ routes, customers, route, customer, name, method, product, draft, change }} />
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
        <p className="text-[13px] leading-5 text-ink-faint">
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
        answer: async () => (await import("@/cli/dev/contract/calls")).devSample,
      }),
    enabled: isOn,
    staleTime: Infinity,
  });
}

function toJson(text: string): DevCallInput["payload"] {
  return JSON.parse(text);
}
