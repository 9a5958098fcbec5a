"use client";

import { useMutation } from "@tanstack/react-query";
import { ArrowUpCircle } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type BulkItem, BulkDialog } from "@/components/ui/forms/bulk-dialog";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { type RowSelection, SelectionBar } from "@/components/ui/forms/selection";
import { callApi } from "@/lib/client/api";

interface Upgradable {
  id: string;
  title: string;
  tenantName: string;
  number: string;
}

interface UpgradeBarProps {
  installations: readonly Upgradable[];
  selection: RowSelection;
}

/** Upgrades the selected installations that ask nothing. The others are listed with what they ask. */
export function UpgradeBar({ installations, selection }: UpgradeBarProps) {
  const router = useRouter();
  const [items, setItems] = useState<BulkItem[]>();
  const plan = useMutation({
    mutationFn: async () => {
      const planned: BulkItem[] = [];
      for (const installation of installations)
        if (selection.ids.has(installation.id)) planned.push(await planUpgrade(installation));
      return planned;
    },
    onSuccess: setItems,
  });
  return (
    <>
      <SelectionBar selection={selection} text="Select all with an upgrade on this page">
        {selection.ids.size > 0 && (
          <Button size="small" tone="primary" isPending={plan.isPending} onPress={() => plan.mutate()}>
            <ArrowUpCircle aria-hidden className="size-3.5" />
            Upgrade selected
          </Button>
        )}
      </SelectionBar>
      {plan.error !== null && <ProblemNotice error={plan.error} className="m-4" />}
      <BulkDialog
        items={items}
        ask={(count) => (count === 1 ? "Upgrade 1 installation?" : `Upgrade ${count} installations?`)}
        confirmText={(count) => (count === 1 ? "Upgrade 1 installation" : `Upgrade ${count} installations`)}
        onClose={() => setItems(undefined)}
        onDone={() => {
          selection.clear();
          router.refresh();
        }}
      >
        Each keeps its settings. It switches once the new version is up, and the old one serves all calls
        until then. You can roll each back on its page.
      </BulkDialog>
    </>
  );
}

async function planUpgrade({ id, title, tenantName, number }: Upgradable): Promise<BulkItem> {
  const path = `/api/installations/${id}/upgrade`;
  const { ready, why } = await callApi("GET", path, {
    answer: async () => (await import("@/lib/contract/installations/configuration-view")).quickUpgrade,
  });
  const item = { id, title: `${title} for ${tenantName}` };
  if (ready === null) return { ...item, href: `/installations/${id}/upgrade`, text: why ?? "" };
  const { versionId, revision, to } = ready;
  return {
    ...item,
    text: `From ${number} to ${to}`,
    run: async () => {
      await callApi("POST", path, { body: { versionId, revision, settings: {}, mappings: {} } });
      return `The upgrade to ${to} has started.`;
    },
  };
}
