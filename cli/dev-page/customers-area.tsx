import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, Plus, Trash2, WandSparkles } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { ConfigureForm } from "@/components/installations/configuration/configure-form";
import { useSavedToast } from "@/components/installations/configuration/saved-toast";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { PageSkeleton } from "@/components/ui/card";
import { TextField } from "@/components/ui/forms/fields";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import { noteStoredPaths } from "@/lib/domain/catalog/mapping/check-path";
import type { DevCustomer } from "../dev/contract/calls";
import { useConnection, useDev } from "./frame/connection";
import { openUrl, PageLink, useUrl, withParameters } from "./frame/location";

/** Made-up customers side by side, and the configuration of one of them. */
export function CustomersArea() {
  const customers = useDev("customers");
  const asked = useUrl().searchParams.get("customer");
  const customer = customers.find(({ id }) => id === asked) ?? customers[0];
  return (
    <div className="grid gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <CustomerList customers={customers} current={customer?.id} />
      {customer !== undefined && <CustomerConfiguration key={customer.id} customer={customer} />}
    </div>
  );
}

interface CustomerListProps {
  customers: readonly DevCustomer[];
  current: string | undefined;
}

function CustomerList({ customers, current }: CustomerListProps) {
  const { href } = useUrl();
  return (
    <section aria-label="Customers" className="flex min-w-0 flex-col gap-3">
      {customers.length === 0 && (
        <p className="text-small leading-5 text-ink-faint">
          There are no customers. Add one to send calls to your app.
        </p>
      )}
      <ul className="flex flex-col gap-1">
        {customers.map((customer) => (
          <li key={customer.id}>
            <PageLink
              href={withParameters({ area: "customers", customer: customer.id }, href)}
              aria-current={customer.id === current ? "true" : undefined}
              className={`flex min-w-0 flex-col gap-1 rounded-card border px-3 py-2.5 transition-colors ${
                customer.id === current
                  ? "border-accent-text bg-accent-soft"
                  : "border-line bg-surface hover:bg-hover"
              }`}
            >
              <span className="flex min-w-0 items-start justify-between gap-2">
                <span className="min-w-0 text-sm leading-6 font-medium wrap-anywhere text-ink">
                  {customer.name}
                </span>
                <CustomerBadge customer={customer} />
              </span>
              <span translate="no" className="font-mono text-xs leading-5 wrap-anywhere text-ink-faint">
                {customer.tenantHostName}
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
      <NewCustomer />
    </section>
  );
}

function CustomerBadge({ customer: { configured, missing } }: { customer: DevCustomer }) {
  return configured ? (
    <CircleCheck role="img" aria-label="Configured" className="mt-1 size-4 shrink-0 text-success" />
  ) : (
    <Badge tone="warning">{missing.length} missing</Badge>
  );
}

function NewCustomer() {
  const [name, setName] = useState<string>();
  const isLive = useConnection() === "live";
  const add = useMutation({
    mutationFn: (wanted: string) =>
      callApi("POST", "/api/dev/customers", {
        body: { name: wanted },
        answer: async () => (await import("../dev/contract/calls")).devCustomer,
      }),
    onSuccess: ({ id }) => {
      setName(undefined);
      openUrl(withParameters({ area: "customers", customer: id }));
    },
  });
  if (name === undefined)
    return (
      <Button size="small" onPress={() => setName("")} isDisabled={!isLive}>
        <Plus aria-hidden className="size-4" />
        Add customer
      </Button>
    );
  return (
    <form
      noValidate
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate(name);
      }}
    >
      <TextField
        label="Name"
        isRequired
        autoFocus
        autoComplete="off"
        placeholder="Lakeside Insurance"
        value={name}
        onChange={setName}
        maxLength={60}
      />
      <ProblemNotice error={add.error} />
      <div className="flex gap-2">
        <Button type="submit" size="small" tone="primary" isPending={add.isPending}>
          Add
        </Button>
        <Button size="small" tone="quiet" onPress={() => setName(undefined)} isDisabled={add.isPending}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** What the customer sees on the platform: the same form, with this app's settings and this customer's products. */
function CustomerConfiguration({ customer }: { customer: DevCustomer }) {
  const { data, error, refetch } = useConfiguration(customer);
  return (
    <section aria-label={`Configuration of ${customer.name}`} className="flex min-w-0 flex-col gap-6">
      <CustomerHeader customer={customer} />
      {data !== undefined && <Form latest={data} reload={refetch} />}
      {data === undefined && (error === null ? <PageSkeleton rows={4} /> : <ProblemNotice error={error} />)}
    </section>
  );
}

/** Reads it again whenever it is saved elsewhere, or the manifest changes. */
function useConfiguration({ id, revision }: DevCustomer) {
  const { readAt } = useDev("manifest");
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["configuration", id],
    queryFn: () =>
      callApi("GET", `/api/installations/${id}/configuration`, {
        answer: async () =>
          (await import("@/lib/contract/installations/configuration-view")).configurationView,
      }),
  });
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ["configuration", id] });
  }, [client, id, revision, readAt]);
  return query;
}

function Form({ latest, reload }: { latest: ConfigurationView; reload: () => Promise<unknown> }) {
  const [saves, setSaves] = useState(0);
  const showToast = useSavedToast();
  const continueAfter = async (revision: number) => {
    await reload();
    setSaves((count) => count + 1);
    showToast(revision);
  };
  return <FormSince key={saves} latest={latest} onSaved={(revision) => void continueAfter(revision)} />;
}

/** The form since the last save. */
function FormSince({ latest, onSaved }: { latest: ConfigurationView; onSaved: (revision: number) => void }) {
  const [initial] = useState(latest);
  const notes = useMemo(() => noteStoredPaths(initial), [initial]);
  return <ConfigureForm initial={initial} latest={latest} notes={notes} onSaved={onSaved} />;
}

/** Who the customer is, and what can be done with all of its answers. */
function CustomerHeader({ customer }: { customer: DevCustomer }) {
  const { id, name, tenantHostName, coreApiUrl, revision } = customer;
  const [asking, setAsking] = useState<"invent" | "remove">();
  const isLive = useConnection() === "live";
  const close = () => setAsking(undefined);
  const invent = useMutation({
    mutationFn: () => callApi("POST", `/api/dev/customers/${id}/invent`),
    onSuccess: close,
  });
  const remove = useMutation({
    mutationFn: () => callApi("DELETE", `/api/dev/customers/${id}`),
    onSuccess: close,
  });
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h2 className="text-lg font-semibold tracking-tight wrap-anywhere text-ink">{name}</h2>
        <p className="text-small leading-5 wrap-anywhere text-ink-faint">
          Tenant{" "}
          <span translate="no" className="font-mono">
            {tenantHostName}
          </span>
          , core{" "}
          <span translate="no" className="font-mono">
            {coreApiUrl}
          </span>
          , revision {revision}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onPress={() => setAsking("invent")} isDisabled={!isLive}>
          <WandSparkles aria-hidden className="size-4" />
          Fill with made-up answers
        </Button>
        <Button size="small" tone="quiet" onPress={() => setAsking("remove")} isDisabled={!isLive}>
          <Trash2 aria-hidden className="size-4" />
          Remove
        </Button>
      </div>
      <ConfirmDialog
        isOpen={asking === "invent"}
        onOpenChange={close}
        title={`Replace the answers of ${name}?`}
        confirmText="Replace"
        tone="primary"
        onConfirm={() => invent.mutate()}
        isPending={invent.isPending}
        error={invent.error}
      >
        Every setting, secret, and mapping gets a made-up answer. The current answers are lost.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asking === "remove"}
        onOpenChange={close}
        title={`Remove ${name}?`}
        confirmText="Remove"
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        error={remove.error}
      >
        Its answers are deleted. You can add another customer at any time.
      </ConfirmDialog>
    </header>
  );
}
