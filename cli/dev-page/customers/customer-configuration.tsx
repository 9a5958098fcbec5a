import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2, WandSparkles } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { ConfigureForm } from "@/components/configure/configure-form";
import { useSavedToast } from "@/components/installation/saved-toast";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { PageSkeleton } from "@/components/ui/skeleton";
import type { DevCustomer } from "@/cli/dev/dev-contract";
import { callApi } from "@/lib/client/api";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import { noteStoredPaths } from "@/lib/domain/mapping/note-stored-paths";
import { useConnection, useDev } from "../connection/dev-context";

/** What the customer sees on the platform: the same form, with this app's settings and this customer's products. */
export function CustomerConfiguration({ customer }: { customer: DevCustomer }) {
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
        answer: async () => (await import("@/lib/contract/configuration-view")).configurationView,
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

function CustomerHeader({ customer }: { customer: DevCustomer }) {
  const { id, name, tenantHostName, coreApiUrl, revision } = customer;
  const [isRemoving, setRemoving] = useState(false);
  const isLive = useConnection() === "live";
  const invent = useMutation({ mutationFn: () => callApi("POST", `/api/dev/customers/${id}/invent`) });
  const remove = useMutation({
    mutationFn: () => callApi("DELETE", `/api/dev/customers/${id}`),
    onSuccess: () => setRemoving(false),
  });
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h2 className="text-lg font-semibold tracking-tight wrap-anywhere text-ink">{name}</h2>
        <p className="text-[13px] leading-5 wrap-anywhere text-ink-faint">
          Tenant <span className="font-mono">{tenantHostName}</span>, core{" "}
          <span className="font-mono">{coreApiUrl}</span>, revision {revision}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          onPress={() => invent.mutate()}
          isPending={invent.isPending}
          isDisabled={!isLive}
        >
          <WandSparkles aria-hidden className="size-4" />
          Fill with made-up answers
        </Button>
        <Button size="small" tone="quiet" onPress={() => setRemoving(true)} isDisabled={!isLive}>
          <Trash2 aria-hidden className="size-4" />
          Remove
        </Button>
      </div>
      <ProblemNotice error={invent.error} className="w-full" />
      <ConfirmDialog
        isOpen={isRemoving}
        onOpenChange={setRemoving}
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
