import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { ConfigureForm } from "@/components/configure/configure-form";
import { useSavedToast } from "@/components/installation/saved-toast";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { PageSkeleton } from "@/components/ui/skeleton";
import type { DevCustomer } from "@/cli/dev/contract/customers";
import { callApi } from "@/lib/client/api";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import { noteStoredPaths } from "@/lib/domain/mapping/note-stored-paths";
import { useDev } from "../connection/dev-context";
import { CustomerHeader } from "./customer-header";

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
